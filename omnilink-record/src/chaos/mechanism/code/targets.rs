//! Where jumps may land.
//!
//! An instruction that a jump may lead to keeps its first byte where it is: a trampoline may begin there but not reach
//! across it. Finding too many such places costs a little speed, missing one breaks the program, so everything that
//! looks like an address of code counts: targets of direct jumps, entries of jump tables, constants that are or could
//! be addresses of code, landing pads and beginnings of functions.
//!
//! Bytes that belong to no known function may be code, too, which may begin at any of them: each is taken for an
//! instruction. A function that takes the address of a place of its own and jumps to an address that it computes may
//! jump to any of its instructions.

use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};

use super::image::{Function, Image, Section};

/// A set of addresses of code.
#[derive(Debug, Default)]
pub struct Targets {
    start: u64,
    bits: Vec<u64>,
}

impl Targets {
    /// All places where jumps in this image may land.
    pub fn of(image: &Image, functions: &[Function]) -> Self {
        let start = image.code.iter().map(|section| section.address).min().unwrap_or_default();
        let end = image.code.iter().map(|section| section.range().end).max().unwrap_or_default();
        let mut targets = Self { start, bits: vec![0; ((end - start) / 64 + 1) as usize] };
        for &entry in &image.entries {
            targets.insert(entry);
        }
        for address in image.pointers() {
            targets.insert(address);
        }
        for function in functions {
            targets.add_function(image, function);
        }
        for gap in gaps(image, functions) {
            targets.add_unknown(image, gap);
        }
        targets
    }

    /// True if a jump may land there.
    pub fn contains(&self, address: u64) -> bool {
        let index = address.wrapping_sub(self.start);
        self.bits.get((index / 64) as usize).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }

    fn insert(&mut self, address: u64) {
        let index = address.wrapping_sub(self.start);
        if let Some(bits) = self.bits.get_mut((index / 64) as usize) {
            *bits |= 1 << (index % 64);
        }
    }

    /// True if a jump may land inside one of these, behind its first byte.
    pub fn split(&self, instruction: &Instruction) -> bool {
        (instruction.ip() + 1..instruction.next_ip()).any(|address| self.contains(address))
    }

    fn add_function(&mut self, image: &Image, function: &Function) {
        let Some(code) = image.code_at(&function.range) else { return };
        let (mut computes, mut takes_address) = (false, false);
        for instruction in &mut Decoder::with_ip(64, code, function.range.start, DecoderOptions::NONE) {
            self.add_mentioned(image, &instruction);
            let is_relative = instruction.is_ip_rel_memory_operand();
            computes |= instruction.flow_control() == FlowControl::IndirectBranch && !is_relative;
            takes_address |= is_relative && function.range.contains(&instruction.ip_rel_memory_address());
        }
        if computes && takes_address {
            for instruction in &mut Decoder::with_ip(64, code, function.range.start, DecoderOptions::NONE) {
                self.insert(instruction.ip());
            }
        }
    }

    /// Adds what bytes mention that may be code.
    fn add_unknown(&mut self, image: &Image, range: Range<u64>) {
        let Some(code) = image.code_at(&range) else { return };
        for (at, start) in (range.start..).zip(0..code.len()) {
            let instruction = Decoder::with_ip(64, &code[start..], at, DecoderOptions::NONE).decode();
            self.add_mentioned(image, &instruction);
        }
    }

    fn add_mentioned(&mut self, image: &Image, instruction: &Instruction) {
        for operand in 0..instruction.op_count() {
            match instruction.op_kind(operand) {
                OpKind::NearBranch64 => self.insert(instruction.near_branch64()),
                OpKind::Memory if instruction.is_ip_rel_memory_operand() => {
                    let address = instruction.ip_rel_memory_address();
                    self.insert(address);
                    let mut sections = image.data.iter().chain(&image.code);
                    if let Some(section) = sections.find(|section| section.range().contains(&address)) {
                        self.add_jump_table(image, section, address);
                    }
                }
                OpKind::Immediate32 | OpKind::Immediate64 | OpKind::Immediate32to64 => {
                    self.insert(instruction.immediate(operand));
                }
                _ => {}
            }
        }
    }

    /// Entries of a jump table are distances from its beginning. What is not one ends soon, when a number leads out of
    /// the code.
    fn add_jump_table(&mut self, image: &Image, section: &Section, address: u64) {
        for entry in section.bytes[(address - section.address) as usize..].chunks_exact(4) {
            let distance = i32::from_le_bytes(entry.try_into().expect("a chunk of four"));
            let target = address.wrapping_add_signed(i64::from(distance));
            if !image.is_code(target) {
                return;
            }
            self.insert(target);
        }
    }
}

/// The code that is in no function, by address.
pub fn gaps(image: &Image, functions: &[Function]) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    for section in &image.code {
        let mut at = section.address;
        let first = functions.partition_point(|function| function.range.end <= at);
        for function in functions[first..].iter().take_while(|function| function.range.start < section.range().end) {
            if at < function.range.start {
                gaps.push(at..function.range.start);
            }
            at = at.max(function.range.end);
        }
        if at < section.range().end {
            gaps.push(at..section.range().end);
        }
    }
    gaps
}
