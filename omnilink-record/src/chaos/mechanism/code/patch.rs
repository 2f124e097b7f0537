//! What to write into a program so that its threads can be interrupted.
//!
//! A point needs five bytes for the jump to its trampoline. If the instruction is shorter, its neighbours are displaced
//! with it, as long as no jump may land among them (see [`super::targets`]) and none of them is a call: a return
//! address must be one that the unwinder knows. Where that fails a one-byte trap is written instead.

use std::collections::HashMap;
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};

use super::flags;
use super::image::{Function, Image};
use super::points::{Kind, classify, keeps_frame_pointer, leads_elsewhere};
use super::targets::Targets;
use super::trampoline::{AFTER_TRAP, MAX_POINT_LEN, Trampolines, is_bound, jump};

pub use super::trampoline::STACK_LOWERED_BY;
use crate::chaos::mechanism::control::PAGE;

/// How much of an image is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Depth {
    /// All points.
    Accesses,
    /// Only what would make runs differ or hang: random numbers and waiting.
    Essentials,
}

/// A trap instead of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trap {
    /// Why it is there.
    pub kind: Kind,
    /// The first byte of the instruction.
    pub original: u8,
    /// Where the instruction itself can be executed.
    pub copy: u64,
}

/// A displaced instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moved {
    /// Where its trampoline begins.
    trampoline: u64,
    /// Where the instruction itself is now.
    copy: u64,
    /// Where it was.
    original: u64,
    /// Whether a jump to where it was gets here.
    can_return: bool,
    /// Whether there is a copy of it, and not something that does the same.
    is_copied: bool,
    /// Whether the flags are on the stack when the scheduler is called.
    keeps_flags: bool,
}

/// A thread that is inside a trampoline, seen from the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The instruction that it is about to execute.
    pub original: u64,
    /// Where to continue in order to do that.
    pub resume: u64,
    /// Its flags are on the stack, [`STACK_LOWERED_BY`] below where the program believes the stack to end.
    pub after_trap: bool,
}

/// All changes of one image.
#[derive(Debug)]
pub struct Patch {
    /// Where the control page and then the trampolines go.
    pub region: Range<u64>,
    /// The trampolines' bytes.
    pub trampolines: Vec<u8>,
    /// Code to write, and what was there.
    pub text: Vec<Rewritten>,
    /// Traps by address.
    pub traps: HashMap<u64, Trap>,
    /// How many bytes of code are in no function.
    pub unknown: u64,
    /// Displaced instructions by where they are now.
    moved: Vec<Moved>,
}

/// A stretch of code.
#[derive(Debug)]
pub struct Rewritten {
    /// Where it begins.
    pub address: u64,
    /// What to write.
    pub bytes: Vec<u8>,
    /// What was there.
    pub original: Vec<u8>,
}

impl Rewritten {
    fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }
}

impl Patch {
    /// How much room the trampolines of an image may need, with the control page.
    pub fn room(image: &Image, depth: Depth) -> u64 {
        let code: usize = image.code.iter().map(|section| section.bytes.len()).sum();
        let points = match depth {
            // One instruction in three, of four bytes on average, accesses memory; this is enough for all of them to.
            Depth::Accesses => code as u64 / 4,
            Depth::Essentials => 1024,
        };
        (points * MAX_POINT_LEN / 2).next_multiple_of(PAGE) + 16 * PAGE
    }

    /// Plans all changes of these functions of an image; `region` is as long as [`room`](Self::room) says and near the image.
    pub fn plan(image: &Image, functions: &[Function], depth: Depth, region: Range<u64>) -> Self {
        // Where everything is a trap nothing is displaced.
        let targets = match depth {
            Depth::Accesses => Targets::of(image, functions),
            Depth::Essentials => Targets::default(),
        };
        let mut planner = Planner {
            image,
            targets: &targets,
            depth,
            trampolines: Trampolines::at(region.start + PAGE),
            end: region.end,
            jumps: Vec::new(),
            traps: HashMap::new(),
            moved: Vec::new(),
        };
        for function in functions {
            planner.function(function);
        }
        let Planner { trampolines, jumps, traps, moved, .. } = planner;
        let (text, unknown) = (rewrite(image, &jumps), image.unknown_len(functions));
        Self { region, trampolines: trampolines.into_bytes(), text, traps, unknown, moved }
    }

    /// What a thread inside the trampolines is about to do, if it is where threads normally stop: at the beginning of a
    /// trampoline, after its trap, or at the displaced instruction.
    pub fn place(&self, address: u64) -> Option<Place> {
        if !self.region.contains(&address) {
            return None;
        }
        let index = self.moved.partition_point(|moved| moved.trampoline <= address).checked_sub(1)?;
        let Moved { trampoline, copy, original, can_return, keeps_flags, .. } = self.moved[index];
        let after_trap = keeps_flags && address + AFTER_TRAP == copy;
        let resume = if can_return { original } else { copy };
        (after_trap || address == trampoline || address == copy).then_some(Place { original, resume, after_trap })
    }

    /// Where a displaced instruction is executed.
    pub fn executed_at(&self, original: u64) -> Option<u64> {
        let moved = self.moved.iter().find(|moved| moved.original == original)?;
        // What reads the clock is all trampoline.
        Some(if moved.is_copied { moved.copy } else { moved.trampoline })
    }

    /// Makes code that was read from `address` on what it was before it was rewritten.
    pub fn show_original(&self, address: u64, bytes: &mut [u8]) {
        let end = address.wrapping_add(bytes.len() as u64);
        for text in self.text.iter().filter(|text| text.address < end && address < text.end()) {
            let (start, stop) = (text.address.max(address), text.end().min(end));
            let from = &text.original[(start - text.address) as usize..(stop - text.address) as usize];
            bytes[(start - address) as usize..(stop - address) as usize].copy_from_slice(from);
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            if let Some(trap) = self.traps.get(&address.wrapping_add(at as u64)) {
                *byte = trap.original;
            }
        }
    }

    /// Where to continue instead of an address in the middle of a rewritten stretch.
    pub fn moved_to(&self, original: u64) -> Option<u64> {
        self.moved.iter().find(|moved| moved.original == original && !moved.can_return).map(|moved| moved.trampoline)
    }
}

/// A function, with what is known of each of its instructions.
struct Decoded {
    instructions: Vec<Instruction>,
    kinds: Vec<Option<Kind>>,
    /// Whether a point there has to keep the flags.
    keeps_flags: Vec<bool>,
}

struct Planner<'a> {
    image: &'a Image,
    targets: &'a Targets,
    depth: Depth,
    trampolines: Trampolines,
    end: u64,
    jumps: Vec<(u64, usize, u64)>,
    traps: HashMap<u64, Trap>,
    moved: Vec<Moved>,
}

impl Planner<'_> {
    fn function(&mut self, function: &Function) {
        let Some(code) = self.image.code_at(&function.range) else { return };
        let instructions: Vec<Instruction> =
            Decoder::with_ip(64, code, function.range.start, DecoderOptions::NONE).into_iter().collect();
        if instructions.iter().any(Instruction::is_invalid) {
            return;
        }
        let has_frame_pointer = keeps_frame_pointer(&instructions);
        let kinds: Vec<Option<Kind>> = instructions
            .iter()
            .map(|instruction| {
                classify(instruction, self.image, has_frame_pointer).filter(|&kind| self.wants(function, kind))
            })
            .collect();
        let function_code =
            Decoded { keeps_flags: flags::needed(&instructions, !function.is_described), instructions, kinds };
        let Decoded { instructions, kinds, .. } = &function_code;
        let mut free = 0;
        let mut index = 0;
        while index < instructions.len() {
            let Some(kind) = kinds[index] else {
                index += 1;
                continue;
            };
            let span = match kind {
                Kind::Access | Kind::Clock => self.span(instructions, index, free),
                Kind::Yield | Kind::Random => None,
            };
            let done = span.and_then(|span| self.displace(&function_code, span));
            free = done.unwrap_or_else(|| self.trap(&instructions[index], kind, code, function, index));
            index = free;
        }
    }

    fn wants(&self, function: &Function, kind: Kind) -> bool {
        match kind {
            Kind::Access => self.depth == Depth::Accesses && !function.is_runtime,
            // Where no trampolines are made, the kernel tells us about reads of the counter.
            Kind::Clock => self.depth == Depth::Accesses,
            Kind::Yield | Kind::Random => true,
        }
    }

    /// Which instructions to displace in order to gain five bytes for `index`: those after it, else those before it,
    /// from `free` on.
    fn span(&self, instructions: &[Instruction], index: usize, free: usize) -> Option<Range<usize>> {
        const NEEDED: usize = 5;
        let stays = |instruction: &Instruction| is_bound(instruction) || self.targets.split(instruction);
        let mut length = instructions[index].len();
        let mut end = index + 1;
        if self.targets.split(&instructions[index]) {
            return None;
        }
        if leads_elsewhere(&instructions[index]) {
            // Long enough by itself, and nothing may follow a call: its return address must stay.
            return Some(index..end);
        }
        while length < NEEDED {
            match instructions.get(end) {
                Some(next) if !stays(next) && !self.targets.contains(next.ip()) => length += next.len(),
                _ => break,
            }
            end += 1;
        }
        if length >= NEEDED {
            return Some(index..end);
        }
        let mut start = index;
        while length < NEEDED {
            let moves = start > free
                && !self.targets.contains(instructions[start].ip())
                && instructions[start - 1].flow_control() == FlowControl::Next
                && !stays(&instructions[start - 1]);
            if !moves {
                return None;
            }
            start -= 1;
            length += instructions[start].len();
        }
        Some(start..end)
    }

    /// Writes the trampoline of a span; gives the index after it.
    fn displace(&mut self, function: &Decoded, span: Range<usize>) -> Option<usize> {
        let Decoded { instructions, kinds, keeps_flags } = function;
        let start = self.trampolines.here();
        if start + span.len() as u64 * MAX_POINT_LEN > self.end {
            return None;
        }
        let moved_before = self.moved.len();
        for index in span.clone() {
            let instruction = &instructions[index];
            let trampoline = self.trampolines.here();
            match kinds[index] {
                Some(Kind::Access) => self.trampolines.countdown(keeps_flags[index]),
                Some(Kind::Clock) => self.trampolines.read_clock(instruction.mnemonic() == Mnemonic::Rdtscp),
                // A trap of its own is not displaced with others.
                Some(Kind::Yield | Kind::Random) => {
                    self.trampolines.truncate(start);
                    self.moved.truncate(moved_before);
                    return None;
                }
                None => {}
            }
            let copy = self.trampolines.here();
            if kinds[index] != Some(Kind::Clock) && !self.trampolines.copy(instruction) {
                self.trampolines.truncate(start);
                self.moved.truncate(moved_before);
                return None;
            }
            self.moved.push(Moved {
                trampoline,
                copy,
                original: instruction.ip(),
                can_return: index == span.start,
                is_copied: kinds[index] != Some(Kind::Clock),
                keeps_flags: kinds[index] == Some(Kind::Access) && keeps_flags[index],
            });
        }
        let (first, last) = (&instructions[span.start], &instructions[span.end - 1]);
        self.trampolines.jump(last.next_ip());
        self.jumps.push((first.ip(), (last.next_ip() - first.ip()) as usize, start));
        Some(span.end)
    }

    /// Puts a trap there; gives the index after it.
    fn trap(&mut self, instruction: &Instruction, kind: Kind, code: &[u8], function: &Function, index: usize) -> usize {
        let copy = self.trampolines.here();
        if kind != Kind::Clock && copy + MAX_POINT_LEN < self.end && self.trampolines.copy(instruction) {
            self.trampolines.jump(instruction.next_ip());
            self.moved.push(Moved {
                trampoline: copy,
                copy,
                original: instruction.ip(),
                can_return: true,
                is_copied: true,
                keeps_flags: false,
            });
            let original = code[(instruction.ip() - function.range.start) as usize];
            self.traps.insert(instruction.ip(), Trap { kind, original, copy });
        } else {
            self.trampolines.truncate(copy);
        }
        index + 1
    }
}

/// The code with jumps in it, page by page where it changes.
fn rewrite(image: &Image, jumps: &[(u64, usize, u64)]) -> Vec<Rewritten> {
    const INT3: u8 = 0xcc;
    let mut rewritten: Vec<Rewritten> = Vec::new();
    for &(at, length, trampoline) in jumps {
        let Some(original) = image.code_at(&(at..at + length as u64)) else { continue };
        let mut bytes = jump(at, trampoline).to_vec();
        bytes.resize(length, INT3);
        // What is near is written with the one before.
        let near = rewritten.last_mut().filter(|last| at < last.end() + PAGE);
        match near.and_then(|last| Some((image.code_at(&(last.end()..at))?, last))) {
            Some((gap, last)) => {
                last.bytes.extend(gap.iter().chain(&bytes));
                last.original.extend(gap.iter().chain(original));
            }
            None => rewritten.push(Rewritten { address: at, bytes, original: original.to_vec() }),
        }
    }
    rewritten
}
