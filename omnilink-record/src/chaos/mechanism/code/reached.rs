//! Which bytes are certainly code, where no unwind table says so.
//!
//! Code is followed from where it certainly begins ([`super::beginnings`], and what certain code calls or jumps to): an
//! instruction is followed by the next one and by its targets. Bytes that are not reached are not code as far as we
//! know; they may be data between functions, and are left as they are.
//!
//! - What follows a call or system call may be data, if the callee never returns. So such code is only followed up to
//!   the end of its symbol, or to the next one, and not where other code takes the address of what follows; a call to a
//!   place within the same stretch jumps over what follows.
//! - The cases of a `switch` are found in its table of addresses or of distances, if the function jumps to an address
//!   that it computes and mentions the table; only entries that lead into the same stretch count.
//! - A place that nobody calls or jumps to directly, but that has a label or whose address is taken, counts as code if
//!   everything up to the next such place is reached from it, padding excepted, and no path leads out of that but by
//!   returning or by jumping to other code. Data does not look like that.
//! - Bytes that code reads as data, and instructions that overlap each other, are left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};

use super::image::{Function, Image};

/// The functions of an image by address, none overlapping: those that its unwind table describes, and others.
pub fn functions(image: &Image) -> Vec<Function> {
    let (mut functions, rejected): (Vec<_>, Vec<_>) = image.functions.iter().cloned().partition(|function| {
        image.code_at(&function.range).is_some_and(|code| {
            let mut instructions = Decoder::with_ip(64, code, function.range.start, DecoderOptions::NONE).into_iter();
            !instructions.any(|instruction| instruction.is_invalid())
        })
    });
    let mut stops = BTreeSet::new();
    // Ends soon: every round but the last adds a stop, each at an address that some instruction mentions.
    let found = loop {
        let mut reached = Reached::new(image, &functions, &rejected, &stops);
        reached.follow_all();
        let new: BTreeSet<u64> = reached.doubtful.intersection(&reached.mentioned).copied().collect();
        if new.is_empty() {
            break reached.stretches(&rejected);
        }
        stops.extend(new);
    };
    functions.extend(found);
    functions.sort_by_key(|function| function.range.start);
    functions
}

/// What has been found so far.
struct Reached<'a> {
    image: &'a Image,
    /// Functions that need not be followed, because all of their bytes are code.
    described: &'a [Function],
    beginnings: super::beginnings::Beginnings,
    /// Places that are not gone on to after a call.
    stops: &'a BTreeSet<u64>,
    /// Instructions by address, with their lengths.
    instructions: BTreeMap<u64, u64>,
    waiting: Vec<u64>,
    /// Instructions that overlap others.
    overlapping: BTreeSet<u64>,
    /// Bytes of code that are read as data.
    accessed: Vec<Range<u64>>,
    /// Addresses of code that instructions mention other than by jumping there.
    mentioned: BTreeSet<u64>,
    /// Addresses of code that are stored in data.
    pointed_to: BTreeSet<u64>,
    /// What follows a call that may not return.
    doubtful: BTreeSet<u64>,
    /// Tables that may tell where a stretch of code jumps, by the beginning of the stretch.
    tables: BTreeMap<u64, BTreeSet<u64>>,
    /// Beginnings of stretches that jump to computed addresses.
    computing: BTreeSet<u64>,
}

impl<'a> Reached<'a> {
    fn new(image: &'a Image, described: &'a [Function], rejected: &[Function], stops: &'a BTreeSet<u64>) -> Self {
        let mut beginnings = image.beginnings.clone();
        rejected.iter().for_each(|function| beginnings.add_stretch(&function.range));
        let mut reached = Self {
            image,
            described,
            beginnings,
            stops,
            instructions: BTreeMap::new(),
            waiting: Vec::new(),
            overlapping: BTreeSet::new(),
            accessed: Vec::new(),
            mentioned: BTreeSet::new(),
            pointed_to: BTreeSet::new(),
            doubtful: BTreeSet::new(),
            tables: BTreeMap::new(),
            computing: BTreeSet::new(),
        };
        for function in described {
            let Some(code) = image.code_at(&function.range) else { continue };
            for instruction in &mut Decoder::with_ip(64, code, function.range.start, DecoderOptions::NONE) {
                if let Some(target) = target(&instruction).filter(|target| !function.range.contains(target)) {
                    reached.waiting.push(target);
                }
                reached.mention(&instruction);
            }
        }
        for address in image.pointers().filter(|&address| image.is_code(address)) {
            if !reached.is_described(address) {
                reached.pointed_to.insert(address);
            }
        }
        // Landing pads of functions whose table covers more than code.
        let pads =
            image.entries.iter().filter(|&&entry| rejected.iter().any(|function| function.range.contains(&entry)));
        reached.waiting.extend(pads);
        let certain = reached.beginnings.iter().filter(|(_, beginning)| beginning.is_certain);
        let certain: Vec<u64> = certain.map(|(address, _)| address).collect();
        reached.waiting.extend(certain);
        reached
    }

    /// Follows everything that is certainly code.
    fn follow_all(&mut self) {
        loop {
            self.follow();
            if !self.add_cases() && !self.add_places() {
                return;
            }
        }
    }

    /// Follows what is waiting.
    fn follow(&mut self) {
        while let Some(address) = self.waiting.pop() {
            let mut next = Some(address);
            while let Some(at) = next.filter(|&at| !self.instructions.contains_key(&at) && !self.is_described(at)) {
                next = self.step(at);
            }
        }
    }

    /// Takes the instruction at an address; gives where to go on.
    fn step(&mut self, at: u64) -> Option<u64> {
        let instruction = decode(self.image, at)?;
        self.insert(&instruction);
        self.mention(&instruction);
        let stretch = self.stretch(at);
        self.waiting.extend(target(&instruction));
        let next = instruction.next_ip();
        match instruction.flow_control() {
            _ if matches!(instruction.mnemonic(), Mnemonic::Hlt | Mnemonic::Int3) => None,
            FlowControl::Next | FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => Some(next),
            FlowControl::Call | FlowControl::IndirectCall | FlowControl::Interrupt => {
                let jumps_over = target(&instruction).is_some_and(|target| target > at && stretch.contains(&target));
                if jumps_over || !stretch.contains(&next) || self.stops.contains(&next) {
                    return None;
                }
                self.doubtful.insert(next);
                Some(next)
            }
            FlowControl::IndirectBranch => {
                if !instruction.is_ip_rel_memory_operand() {
                    self.computing.insert(stretch.start);
                }
                None
            }
            FlowControl::UnconditionalBranch | FlowControl::Return | FlowControl::Exception => None,
        }
    }

    fn insert(&mut self, instruction: &Instruction) {
        let (start, end) = (instruction.ip(), instruction.next_ip());
        let before = self.instructions.range(..start).next_back().filter(|(at, length)| **at + **length > start);
        let over =
            before.map(|(&at, _)| at).into_iter().chain(self.instructions.range(start + 1..end).map(|(&at, _)| at));
        let over: Vec<u64> = over.collect();
        if !over.is_empty() {
            self.overlapping.extend(over);
            self.overlapping.insert(start);
        }
        self.instructions.insert(start, instruction.len() as u64);
    }

    /// Remembers which code an instruction speaks about without jumping there.
    fn mention(&mut self, instruction: &Instruction) {
        let at = instruction.ip();
        for operand in 0..instruction.op_count() {
            let address = match instruction.op_kind(operand) {
                OpKind::Memory if instruction.is_ip_rel_memory_operand() => instruction.ip_rel_memory_address(),
                OpKind::Memory => instruction.memory_displacement64(),
                OpKind::Immediate32 | OpKind::Immediate64 | OpKind::Immediate32to64 => instruction.immediate(operand),
                _ => continue,
            };
            if self.image.is_code(address) {
                if self.is_described(address) {
                    continue;
                }
                self.mentioned.insert(address);
                let is_read = instruction.op_kind(operand) == OpKind::Memory && instruction.mnemonic() != Mnemonic::Lea;
                if is_read && instruction.mnemonic() != Mnemonic::Nop {
                    self.accessed.push(address..address + instruction.memory_size().size().max(1) as u64);
                }
            } else if !self.is_described(at) && self.image.data_at(address).is_some() {
                let stretch = self.stretch(at).start;
                self.tables.entry(stretch).or_default().insert(address);
            }
        }
    }

    /// Adds what the tables of computed jumps lead to. False if there was nothing new.
    fn add_cases(&mut self) -> bool {
        let mut cases = BTreeSet::new();
        for start in &self.computing {
            let stretch = self.stretch(*start);
            for &table in self.tables.get(start).into_iter().flatten() {
                let entries = self.distances(table, &stretch).chain(self.addresses(table, &stretch));
                cases.extend(entries.filter(|&case| self.may_begin(case) && decode(self.image, case).is_some()));
            }
        }
        self.waiting.extend(&cases);
        !cases.is_empty()
    }

    /// The places in a stretch that a table leads to by their distances from the table.
    fn distances<'b>(&'b self, table: u64, stretch: &'b Range<u64>) -> impl Iterator<Item = u64> + 'b {
        let entries = self.image.data_at(table).unwrap_or_default().chunks_exact(4);
        let distances = entries.map(|entry| i32::from_le_bytes(entry.try_into().expect("a chunk of four")));
        let places = distances.map(move |distance| table.wrapping_add_signed(i64::from(distance)));
        places.take_while(|place| stretch.contains(place))
    }

    /// The places in a stretch whose addresses are in a table.
    fn addresses<'b>(&'b self, table: u64, stretch: &'b Range<u64>) -> impl Iterator<Item = u64> + 'b {
        let words = self.image.data_at(table).unwrap_or_default().chunks_exact(8);
        let words = words.map(|word| u64::from_le_bytes(word.try_into().expect("a chunk of eight")));
        let places = words.zip((table..).step_by(8)).map(|(word, at)| match self.image.relocations.get(&at) {
            Some(&filled) => filled,
            None => word.wrapping_add(self.image.bias),
        });
        places.take_while(|place| stretch.contains(place))
    }

    /// Adds places that may be code and turn out to be. False if there are none.
    fn add_places(&mut self) -> bool {
        let labels = self.beginnings.iter().filter(|(_, beginning)| !beginning.is_certain).map(|(address, _)| address);
        let places = labels.chain(self.mentioned.iter().copied()).chain(self.pointed_to.iter().copied());
        let places: BTreeSet<u64> =
            places.filter(|&place| self.may_begin(place) && !self.is_described(place)).collect();
        let end_of = |place: u64| {
            let next = places.range(place + 1..).next().copied();
            let reached = self.instructions.range(place..).next().map(|(&at, _)| at);
            let end = self.stretch(place).end;
            next.unwrap_or(end).min(reached.unwrap_or(end)).min(end)
        };
        let new: Vec<u64> = places.iter().copied().filter(|&place| self.is_all_code(&(place..end_of(place)))).collect();
        self.waiting.extend(&new);
        !new.is_empty()
    }

    /// Whether everything in a stretch is reached from its first byte, and no path leaves it but by a return or a jump.
    fn is_all_code(&self, stretch: &Range<u64>) -> bool {
        if self.accessed.iter().any(|read| read.start < stretch.end && stretch.start < read.end) {
            return false;
        }
        let mut taken = BTreeMap::new();
        let mut waiting = vec![stretch.start];
        while let Some(at) = waiting.pop() {
            if taken.contains_key(&at) {
                continue;
            }
            let Some(instruction) = decode(self.image, at).filter(|instruction| instruction.next_ip() <= stretch.end)
            else {
                return false;
            };
            taken.insert(at, instruction.next_ip());
            match target(&instruction) {
                Some(target) if stretch.contains(&target) => waiting.push(target),
                Some(target) if !self.image.is_code(target) => return false,
                _ => {}
            }
            if !ends(&instruction) {
                // A path that leads out of the stretch without a jump.
                if instruction.next_ip() == stretch.end {
                    return false;
                }
                waiting.push(instruction.next_ip());
            }
        }
        // Between instructions there may be padding, but they may not overlap.
        let mut at = stretch.start;
        for (&start, &end) in &taken {
            if start < at || !self.image.is_padding(&(at..start)) {
                return false;
            }
            at = end;
        }
        self.image.is_padding(&(at..stretch.end))
    }

    /// The stretch of code that an address belongs to: that of its symbol, or from one to the next.
    fn stretch(&self, address: u64) -> Range<u64> {
        if let Some(sized) = self.beginnings.sized_around(address) {
            return sized;
        }
        let section = self.image.code.iter().find(|section| section.range().contains(&address));
        let mut end = section.map_or(address, |section| section.range().end);
        end = self.beginnings.next_after(address).map_or(end, |next| next.min(end));
        let next = self.described.partition_point(|function| function.range.start <= address);
        end = self.described.get(next).map_or(end, |function| function.range.start.min(end));
        self.beginnings.last_until(address).unwrap_or(address)..end
    }

    fn is_described(&self, address: u64) -> bool {
        let after = self.described.partition_point(|function| function.range.start <= address);
        after.checked_sub(1).is_some_and(|index| self.described[index].range.contains(&address))
    }

    /// Whether an address is not yet reached, neither as the beginning of an instruction nor inside one.
    fn may_begin(&self, address: u64) -> bool {
        self.instructions.range(..=address).next_back().is_none_or(|(at, length)| at + length <= address)
    }

    /// The stretches of reached instructions.
    fn stretches(&self, rejected: &[Function]) -> Vec<Function> {
        let mut stretches: Vec<Function> = Vec::new();
        for (&at, &length) in &self.instructions {
            let end = at + length;
            let is_read = self.accessed.iter().any(|read| read.start < end && at < read.end);
            if is_read || self.overlapping.contains(&at) || self.is_described(end - 1) {
                continue;
            }
            match stretches.last_mut() {
                Some(last) if last.range.end == at && !self.beginnings.contains(at) => last.range.end = end,
                _ => {
                    let is_runtime = self.image.runtime.iter().any(|runtime| runtime.contains(&at))
                        || rejected.iter().any(|function| function.is_runtime && function.range.contains(&at));
                    stretches.push(Function { range: at..end, is_runtime, is_described: false });
                }
            }
        }
        stretches
    }
}

fn decode(image: &Image, at: u64) -> Option<Instruction> {
    const MAX_LEN: usize = 15;
    let section = image.code.iter().find(|section| section.range().contains(&at))?;
    let rest = &section.bytes[(at - section.address) as usize..];
    let instruction = Decoder::with_ip(64, &rest[..rest.len().min(MAX_LEN)], at, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// Where an instruction leads by a distance.
fn target(instruction: &Instruction) -> Option<u64> {
    let operands = 0..instruction.op_count();
    let mut near = operands.filter(|&operand| instruction.op_kind(operand) == OpKind::NearBranch64);
    near.next().map(|_| instruction.near_branch64())
}

/// Whether nothing follows an instruction.
fn ends(instruction: &Instruction) -> bool {
    use FlowControl::{Exception, IndirectBranch, Return, UnconditionalBranch};
    matches!(instruction.mnemonic(), Mnemonic::Hlt | Mnemonic::Int3)
        || matches!(instruction.flow_control(), UnconditionalBranch | IndirectBranch | Return | Exception)
}
