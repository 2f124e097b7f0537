//! The code that runs instead of displaced instructions.
//!
//! ```text
//!   lea  rsp, [rsp-128]        leaf functions keep variables below the stack pointer (the red zone)
//!   pushfq
//!   dec  dword [countdown]     rip-relative: the control page lies before the trampolines
//!   jne  over
//!   int3                       the scheduler decides who goes on
//! over:
//!   popfq
//!   lea  rsp, [rsp+128]
//!   …                          the displaced instruction, then the next one, then a jump back
//! ```
//!
//! Where nobody looks at the flags any more ([`super::flags`]) only the three instructions in the middle remain.
//!
//! Nothing is stored below the stack pointer, so a signal may come at any place.

use iced_x86::{BlockEncoder, BlockEncoderOptions, Code, FlowControl, Instruction, InstructionBlock};

use super::super::control::{CLOCK, CLOCK_STEP, COUNTDOWN, PAGE};

/// Trampolines being written, from an address on that the control page lies right before.
#[derive(Debug)]
pub struct Trampolines {
    base: u64,
    bytes: Vec<u8>,
}

/// At most this many bytes stand for one displaced instruction that is a point.
pub const MAX_POINT_LEN: u64 = 80;

const LOWER_STACK: [u8; 5] = [0x48, 0x8d, 0x64, 0x24, 0x80];
const RAISE_STACK: [u8; 8] = [0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0];
const PUSH_FLAGS: u8 = 0x9c;
const POP_FLAGS: u8 = 0x9d;
const INT3: u8 = 0xcc;
const JUMP: u8 = 0xe9;

/// How far the stack pointer is lowered when the scheduler is called and flags are kept, and where they then are: at the
/// stack pointer.
pub const STACK_LOWERED_BY: u64 = 128 + 8;

/// How far behind the trap the displaced instruction is if flags are kept; else it is right behind.
pub const AFTER_TRAP: u64 = 1 + RAISE_STACK.len() as u64;

impl Trampolines {
    /// None yet.
    pub fn at(base: u64) -> Self {
        Self { base, bytes: Vec::new() }
    }

    /// Where the next byte goes.
    pub fn here(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// All bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Counts down and calls the scheduler at zero.
    pub fn countdown(&mut self, keeps_flags: bool) {
        if keeps_flags {
            self.bytes.extend(LOWER_STACK);
            self.bytes.push(PUSH_FLAGS);
        }
        self.with_control_word(&[0xff, 0x0d], COUNTDOWN, &[]);
        self.bytes.extend([0x75, 1, INT3]);
        if keeps_flags {
            self.bytes.push(POP_FLAGS);
            self.bytes.extend(RAISE_STACK);
        }
    }

    /// Reads the virtual clock as `rdtsc` and `rdtscp` read the real one.
    pub fn read_clock(&mut self, with_processor: bool) {
        self.bytes.extend(LOWER_STACK);
        self.bytes.push(PUSH_FLAGS);
        // add qword [clock], step; mov eax, [clock]; mov edx, [clock+4]
        self.with_control_word(&[0x48, 0x83, 0x05], CLOCK, &[CLOCK_STEP]);
        self.with_control_word(&[0x8b, 0x05], CLOCK, &[]);
        self.with_control_word(&[0x8b, 0x15], CLOCK + 4, &[]);
        if with_processor {
            // xor ecx, ecx
            self.bytes.extend([0x31, 0xc9]);
        }
        self.bytes.push(POP_FLAGS);
        self.bytes.extend(RAISE_STACK);
    }

    /// An instruction as it was, with what it has relative to its place adapted. False if it cannot be moved.
    pub fn copy(&mut self, instruction: &Instruction) -> bool {
        if instruction.flow_control() == FlowControl::IndirectCall {
            return self.copy_call(instruction);
        }
        let block = InstructionBlock::new(std::slice::from_ref(instruction), self.here());
        match BlockEncoder::encode(64, block, BlockEncoderOptions::NONE) {
            Ok(encoded) => {
                self.bytes.extend(encoded.code_buffer);
                true
            }
            Err(_) => false,
        }
    }

    /// A call through a table, which returns to where it would have returned: unwinders look there.
    fn copy_call(&mut self, instruction: &Instruction) -> bool {
        // lea rsp, [rsp-8]; push rax; lea rax, [return address]; mov [rsp+8], rax; pop rax; jmp [table]
        let start = self.here();
        self.bytes.extend([0x48, 0x8d, 0x64, 0x24, 0xf8, 0x50, 0x48, 0x8d, 0x05]);
        let reached = self.distance(instruction.next_ip());
        self.bytes.extend([0x48, 0x89, 0x44, 0x24, 0x08, 0x58, 0xff, 0x25]);
        let reached = self.distance(instruction.ip_rel_memory_address()) && reached;
        if !reached {
            self.truncate(start);
        }
        reached
    }

    /// How far an address is from the next instruction, as the last part of this one. False if it is too far.
    fn distance(&mut self, to: u64) -> bool {
        let distance = to.wrapping_sub(self.here() + 4) as i64;
        self.bytes.extend((distance as i32).to_le_bytes());
        i32::try_from(distance).is_ok()
    }

    /// Goes on there.
    pub fn jump(&mut self, to: u64) {
        let jump = jump(self.here(), to);
        self.bytes.extend(jump);
    }

    /// Takes back everything from `address` on.
    pub fn truncate(&mut self, address: u64) {
        self.bytes.truncate((address - self.base) as usize);
    }

    /// An instruction with a word of the control page as its operand.
    fn with_control_word(&mut self, opcode: &[u8], offset: u64, immediate: &[u8]) {
        let next = self.here() + (opcode.len() + 4 + immediate.len()) as u64;
        let distance = (self.base - PAGE + offset).wrapping_sub(next) as u32;
        self.bytes.extend(opcode);
        self.bytes.extend(distance.to_le_bytes());
        self.bytes.extend(immediate);
    }
}

/// The bytes of a jump.
pub fn jump(from: u64, to: u64) -> [u8; 5] {
    let distance = to.wrapping_sub(from + 5) as u32;
    let [a, b, c, d] = distance.to_le_bytes();
    [JUMP, a, b, c, d]
}

/// True for instructions that must stay where they are, because where they are matters after them.
pub fn is_bound(instruction: &Instruction) -> bool {
    use iced_x86::FlowControl::{ConditionalBranch, Next};
    // `xbegin` jumps back here when a transaction is aborted.
    instruction.is_invalid()
        || !matches!(instruction.flow_control(), Next | ConditionalBranch)
        || matches!(instruction.code(), Code::Xbegin_rel16 | Code::Xbegin_rel32)
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions, Mnemonic};

    use super::*;

    const BASE: u64 = 0x10_0000;

    fn decoded(trampolines: Trampolines) -> Vec<Instruction> {
        let bytes = trampolines.into_bytes();
        Decoder::with_ip(64, &bytes, BASE, DecoderOptions::NONE).into_iter().collect()
    }

    fn instruction(bytes: &[u8], at: u64) -> Instruction {
        Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode()
    }

    #[test]
    fn the_countdown_leaves_everything_as_it_was() {
        use Mnemonic::{Dec, Int3, Jne, Lea, Popfq, Pushfq};
        let mut trampolines = Trampolines::at(BASE);
        trampolines.countdown(true);
        let end = trampolines.here();
        let code = decoded(trampolines);
        assert_eq!(
            code.iter().map(Instruction::mnemonic).collect::<Vec<_>>(),
            [Lea, Pushfq, Dec, Jne, Int3, Popfq, Lea]
        );
        assert_eq!(code[2].ip_rel_memory_address(), BASE - PAGE + COUNTDOWN);
        assert_eq!(code[3].near_branch_target(), code[5].ip(), "over the trap");
        assert_eq!(code[4].next_ip() + AFTER_TRAP, end);
        assert_eq!(code[0].memory_displacement64(), (-128_i64) as u64);
        assert_eq!(code[6].memory_displacement64(), 128);
    }

    #[test]
    fn the_countdown_is_short_where_flags_do_not_matter() {
        use Mnemonic::{Dec, Int3, Jne};
        let mut trampolines = Trampolines::at(BASE);
        trampolines.countdown(false);
        let end = trampolines.here();
        let code = decoded(trampolines);
        assert_eq!(code.iter().map(Instruction::mnemonic).collect::<Vec<_>>(), [Dec, Jne, Int3]);
        assert_eq!((code[1].near_branch_target(), code[2].next_ip()), (end, end));
    }

    #[test]
    fn the_clock_is_read_as_rdtscp_does() {
        let mut trampolines = Trampolines::at(BASE);
        trampolines.read_clock(true);
        let code = decoded(trampolines);
        let read: Vec<_> = code
            .iter()
            .filter(|code| code.is_ip_rel_memory_operand())
            .map(Instruction::ip_rel_memory_address)
            .collect();
        let clock = BASE - PAGE + CLOCK;
        assert_eq!(read, [clock, clock, clock + 4]);
        assert!(code.iter().any(|code| code.mnemonic() == Mnemonic::Xor));
    }

    #[test]
    fn copies_mean_what_the_originals_meant() {
        // mov eax, [rip+0x1000]; jne +2; add [rdi], eax
        for (bytes, original) in [
            (&[0x8b, 0x05, 0, 0x10, 0, 0][..], "mov eax, [rip+0x1000]"),
            (&[0x75, 0x02], "jne +2"),
            (&[0x01, 0x07], "add [rdi], eax"),
        ] {
            let moved = instruction(bytes, 0x50_0000);
            let mut trampolines = Trampolines::at(BASE);
            assert!(trampolines.copy(&moved), "{original}");
            let copy = decoded(trampolines)[0];
            assert_eq!(copy.mnemonic(), moved.mnemonic(), "{original}");
            assert_eq!(copy.near_branch_target(), moved.near_branch_target(), "{original}");
            if moved.is_ip_rel_memory_operand() {
                assert_eq!(copy.ip_rel_memory_address(), moved.ip_rel_memory_address(), "{original}");
            }
        }
    }

    #[test]
    fn calls_return_to_where_they_were() {
        let call = instruction(&[0xff, 0x15, 0, 0x20, 0, 0], 0x50_0000);
        let mut trampolines = Trampolines::at(BASE);
        assert!(trampolines.copy(&call));
        let code = decoded(trampolines);
        let pushed = code.iter().filter(|code| code.mnemonic() == Mnemonic::Lea).nth(1).unwrap();
        assert_eq!(pushed.ip_rel_memory_address(), call.next_ip());
        let jump = code.last().unwrap();
        assert_eq!((jump.mnemonic(), jump.ip_rel_memory_address()), (Mnemonic::Jmp, call.ip_rel_memory_address()));
        // Too far away for a jump.
        assert!(!Trampolines::at(1 << 40).copy(&call));
    }
}
