//! Where jumps may land.
//!
//! An instruction that a jump may lead to keeps its first byte where it is: a trampoline may begin there but not reach
//! across it. Finding too many such places costs a little speed, missing one breaks the program, so everything that
//! looks like an address of code counts: targets of direct jumps, entries of jump tables, constants that are or could
//! be addresses of code, landing pads and beginnings of functions.

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};

use super::image::{Image, Section};

/// A set of addresses of code.
#[derive(Debug, Default)]
pub struct Targets {
    start: u64,
    bits: Vec<u64>,
}

impl Targets {
    /// All places where jumps in this image may land.
    pub fn of(image: &Image) -> Self {
        let start = image.code.iter().map(|section| section.address).min().unwrap_or_default();
        let end = image.code.iter().map(|section| section.range().end).max().unwrap_or_default();
        let mut targets = Self { start, bits: vec![0; ((end - start) / 64 + 1) as usize] };
        for &entry in &image.entries {
            targets.insert(entry);
        }
        for section in &image.data {
            for word in section.bytes.chunks_exact(8) {
                let word = u64::from_le_bytes(word.try_into().expect("a chunk of eight"));
                targets.insert(word.wrapping_add(image.bias));
            }
        }
        for function in &image.functions {
            let Some(code) = image.code_at(&function.range) else { continue };
            for instruction in &mut Decoder::with_ip(64, code, function.range.start, DecoderOptions::NONE) {
                targets.add_mentioned(image, &instruction);
            }
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

    fn add_mentioned(&mut self, image: &Image, instruction: &Instruction) {
        for operand in 0..instruction.op_count() {
            match instruction.op_kind(operand) {
                OpKind::NearBranch64 => self.insert(instruction.near_branch64()),
                OpKind::Memory if instruction.is_ip_rel_memory_operand() => {
                    let address = instruction.ip_rel_memory_address();
                    self.insert(address);
                    if let Some(section) = image.data.iter().find(|section| section.range().contains(&address)) {
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
