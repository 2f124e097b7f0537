//! Whether a point has to keep the processor's flags.
//!
//! Counting down changes flags, and keeping them costs more than all the rest of a point. Most of the time nobody looks at
//! them any more: the next instruction that has to do with flags overwrites them. Callers and callees do not look at
//! each other's flags (System V ABI, *Registers*), unless they were written by hand.

use iced_x86::{FlowControl, Instruction, Mnemonic, RflagsBits};

/// What counting down (`dec`) changes.
const CHANGED: u32 = RflagsBits::OF | RflagsBits::SF | RflagsBits::ZF | RflagsBits::AF | RflagsBits::PF;

/// For every instruction of a function: whether the flags before it may still be looked at. `across_calls` says that
/// functions may look at each other's.
pub fn needed(function: &[Instruction], across_calls: bool) -> Vec<bool> {
    let mut needed = vec![true; function.len()];
    for (index, instruction) in function.iter().enumerate().rev() {
        needed[index] = if instruction.rflags_read() & CHANGED != 0 {
            true
        } else if overwrites(instruction.mnemonic()) {
            false
        } else {
            match instruction.flow_control() {
                FlowControl::Next => needed.get(index + 1).copied().unwrap_or(true),
                FlowControl::UnconditionalBranch => {
                    let target = instruction.near_branch_target();
                    // What lies before has not been looked at yet.
                    let later = function[index..].binary_search_by_key(&target, Instruction::ip);
                    later.map_or(true, |distance| distance == 0 || needed[index + distance])
                }
                FlowControl::Call | FlowControl::IndirectCall => {
                    across_calls || instruction.mnemonic() != Mnemonic::Call
                }
                FlowControl::Return => across_calls || instruction.mnemonic() != Mnemonic::Ret,
                _ => true,
            }
        };
    }
    needed
}

/// Instructions that set all flags, whatever their operands are. (Shifts by zero, for one, do not.)
fn overwrites(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Add
            | Mnemonic::Adc
            | Mnemonic::Sub
            | Mnemonic::Sbb
            | Mnemonic::Cmp
            | Mnemonic::Test
            | Mnemonic::And
            | Mnemonic::Or
            | Mnemonic::Xor
            | Mnemonic::Neg
            | Mnemonic::Inc
            | Mnemonic::Dec
            | Mnemonic::Xadd
            | Mnemonic::Cmpxchg
            | Mnemonic::Comiss
            | Mnemonic::Comisd
            | Mnemonic::Ucomiss
            | Mnemonic::Ucomisd
    )
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions};

    use super::needed;

    #[test]
    fn flags_are_needed_until_they_are_overwritten() {
        // A load of eax first, which has nothing to do with flags.
        const LOAD: [u8; 2] = [0x8b, 0x07];
        let cases: [(&str, &[u8], bool); 14] = [
            ("jne", &[0x75, 0], true),
            ("cmp eax, ebx; jne", &[0x39, 0xd8, 0x75, 0], false),
            ("adc eax, ebx: reads another flag", &[0x11, 0xd8], false),
            ("sete al", &[0x0f, 0x94, 0xc0], true),
            ("shl eax, cl: may leave them", &[0xd3, 0xe0, 0x75, 0], true),
            ("mov eax, ebx; test eax, eax", &[0x89, 0xd8, 0x85, 0xc0], false),
            ("lock cmpxchg [rdi], ebx", &[0xf0, 0x0f, 0xb1, 0x1f], false),
            ("pushfq", &[0x9c], true),
            ("ret", &[0xc3], false),
            ("call", &[0xe8, 0, 0, 0, 0], false),
            ("syscall: gives them back", &[0x0f, 0x05, 0x75, 0], true),
            ("jmp over a jne to a ret", &[0xeb, 2, 0x75, 0, 0xc3], false),
            ("jmp back to itself", &[0xeb, 0xfe], true),
            ("jmp out of the function", &[0xeb, 0x70], true),
        ];
        for (name, code, expected) in cases {
            let bytes = [&LOAD, code].concat();
            let function: Vec<_> = Decoder::with_ip(64, &bytes, 0x1000, DecoderOptions::NONE).into_iter().collect();
            assert_eq!(needed(&function, false)[0], expected, "{name}");
            let by_hand = expected || ["ret", "call", "jmp over a jne to a ret"].contains(&name);
            assert_eq!(needed(&function, true)[0], by_hand, "{name}, written by hand");
        }
    }
}
