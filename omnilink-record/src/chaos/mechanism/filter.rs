//! The seccomp program by which the kernel asks about some system calls. All others go straight to the kernel.

use libc::{c_long, sock_filter};

const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_IF_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
/// Where the third argument of a call is, of which the lower half comes first.
const PROTECTION_AT: u32 = std::mem::offset_of!(libc::seccomp_data, args) as u32 + 2 * 8;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;

/// The seccomp program that asks about these calls, and about mapping code.
pub fn program(traced: &[c_long]) -> Vec<sock_filter> {
    let number = std::mem::offset_of!(libc::seccomp_data, nr) as u32;
    let arch = std::mem::offset_of!(libc::seccomp_data, arch) as u32;
    let plain = |code, k| sock_filter { code, jt: 0, jf: 0, k };
    let calls = traced.len();
    // Calls with another numbering (32-bit code) have the numbers of other calls.
    let mut program = vec![
        plain(LOAD_WORD, arch),
        sock_filter { code: JUMP_IF_EQUAL, jt: 0, jf: calls as u8 + 5, k: AUDIT_ARCH_X86_64 },
        plain(LOAD_WORD, number),
    ];
    for (index, call) in traced.iter().enumerate() {
        // Over the rest of the list, and over the answer for all others.
        program.push(sock_filter { code: JUMP_IF_EQUAL, jt: (calls - index) as u8 + 4, jf: 0, k: *call as u32 });
    }
    // Mapping is of interest if it is code that is mapped; so is making code of what was mapped as data.
    program.extend([
        sock_filter { code: JUMP_IF_EQUAL, jt: 1, jf: 0, k: libc::SYS_mmap as u32 },
        sock_filter { code: JUMP_IF_EQUAL, jt: 0, jf: 2, k: libc::SYS_mprotect as u32 },
        plain(LOAD_WORD, PROTECTION_AT),
        sock_filter { code: JUMP_IF_ANY_BIT, jt: 1, jf: 0, k: libc::PROT_EXEC as u32 },
        plain(RETURN, libc::SECCOMP_RET_ALLOW),
        plain(RETURN, libc::SECCOMP_RET_TRACE),
    ]);
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many calls as jumps can skip, nearly.
    fn traced() -> Vec<c_long> {
        (libc::SYS_munmap..libc::SYS_munmap + 240).collect()
    }

    /// What the kernel would answer.
    fn answer(arch: u32, call: u32, protection: i32) -> u32 {
        let program = program(&traced());
        let (mut at, mut word) = (0, 0);
        loop {
            let instruction = program[at];
            at += 1;
            match instruction.code {
                LOAD_WORD => {
                    word = match instruction.k {
                        0 => call,
                        4 => arch,
                        at => {
                            assert_eq!(at, 32);
                            protection as u32
                        }
                    }
                }
                RETURN => return instruction.k,
                JUMP_IF_ANY_BIT => {
                    at += usize::from(if word & instruction.k != 0 { instruction.jt } else { instruction.jf });
                }
                _ => at += usize::from(if word == instruction.k { instruction.jt } else { instruction.jf }),
            }
        }
    }

    #[test]
    fn the_listed_calls_are_traced_and_no_others() {
        for call in 0..500 {
            let listed = traced().contains(&c_long::from(call));
            let expected = if listed { libc::SECCOMP_RET_TRACE } else { libc::SECCOMP_RET_ALLOW };
            assert_eq!(answer(AUDIT_ARCH_X86_64, call as u32, 0), expected, "{call}");
            assert_eq!(answer(0x4000_0003, call as u32, 0), libc::SECCOMP_RET_ALLOW, "{call} of 32-bit code");
        }
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            for (protection, expected) in [
                (libc::PROT_READ | libc::PROT_WRITE, libc::SECCOMP_RET_ALLOW),
                (libc::PROT_READ | libc::PROT_EXEC, libc::SECCOMP_RET_TRACE),
            ] {
                assert_eq!(answer(AUDIT_ARCH_X86_64, call as u32, protection), expected);
            }
        }
    }
}
