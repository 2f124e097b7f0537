//! Which instructions are points: places where a thread may be interrupted.
//!
//! Calls of functions of other libraries are points, too: they may lock or signal something, and in there are no
//! points.
//!
//! What a thread does to its own stack, registers and thread-local variables cannot be seen by others, nor can a
//! constant be changed by them, so interrupting there shows nothing that interrupting at the next shared access does
//! not.

use iced_x86::{FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::image::Image;

/// Why an instruction is of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It accesses memory that others may access: the thread may be interrupted before it.
    Access,
    /// It says that the thread waits for another (`pause`).
    Yield,
    /// It reads the cycle counter.
    Clock,
    /// It asks the processor for a random number, or which processor it is.
    Random,
}

/// Whether a function keeps its frame's address in `rbp`, which then leads to the thread's own stack.
pub fn keeps_frame_pointer(function: &[Instruction]) -> bool {
    // Prologues are short; the instruction would be among the first.
    function.iter().take(8).any(|instruction| {
        instruction.mnemonic() == Mnemonic::Mov
            && instruction.op0_register() == Register::RBP
            && instruction.op1_register() == Register::RSP
    })
}

/// Why this instruction is of interest, if it is.
pub fn classify(instruction: &Instruction, image: &Image, has_frame_pointer: bool) -> Option<Kind> {
    match instruction.mnemonic() {
        Mnemonic::Pause => return Some(Kind::Yield),
        Mnemonic::Rdtsc | Mnemonic::Rdtscp => return Some(Kind::Clock),
        Mnemonic::Rdrand | Mnemonic::Rdseed | Mnemonic::Rdpid => return Some(Kind::Random),
        // These name an address but do not access it, or do not tell what they found.
        Mnemonic::Lea
        | Mnemonic::Nop
        | Mnemonic::Prefetchnta
        | Mnemonic::Prefetcht0
        | Mnemonic::Prefetcht1
        | Mnemonic::Prefetcht2
        | Mnemonic::Prefetchw
        | Mnemonic::Push
        | Mnemonic::Pop => return None,
        _ => {}
    }
    if leads_elsewhere(instruction) {
        return Some(Kind::Access);
    }
    if instruction.flow_control() != FlowControl::Next {
        return None;
    }
    let is_access = (0..instruction.op_count()).any(|operand| match instruction.op_kind(operand) {
        OpKind::Memory => is_shared(instruction, image, has_frame_pointer),
        OpKind::MemorySegSI
        | OpKind::MemorySegESI
        | OpKind::MemorySegRSI
        | OpKind::MemoryESDI
        | OpKind::MemoryESEDI
        | OpKind::MemoryESRDI => true,
        _ => false,
    });
    is_access.then_some(Kind::Access)
}

/// True for a call or jump to a function of another library: its address is in a table that the loader has filled in.
pub fn leads_elsewhere(instruction: &Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::IndirectCall | FlowControl::IndirectBranch)
        && instruction.is_ip_rel_memory_operand()
}

fn is_shared(instruction: &Instruction, image: &Image, has_frame_pointer: bool) -> bool {
    if instruction.has_lock_prefix() || instruction.mnemonic() == Mnemonic::Xchg {
        return true;
    }
    if matches!(instruction.segment_prefix(), Register::FS | Register::GS) {
        return false;
    }
    match instruction.memory_base() {
        Register::RSP => false,
        Register::RBP => !has_frame_pointer,
        Register::RIP => image.is_writable(instruction.ip_rel_memory_address()),
        Register::None if instruction.memory_index() == Register::None => {
            image.is_writable(instruction.memory_displacement64())
        }
        _ => true,
    }
}
