//! Instructions whose results no seed decides: the cycle counter, random numbers, `cpuid`.
//!
//! Two kinds can be made to fault, wherever the code is, and are then emulated: reading the counter (`prctl(PR_SET_TSC)`, see
//! [`super::launch`]) and `cpuid` (`arch_prctl(ARCH_CPUID)`, if the processor supports that). The emulated `cpuid` reports that
//! there are no instructions for random numbers, so programs that check ask the kernel instead, and the same core number
//! everywhere. Random-number instructions in code that is rewritten are replaced by traps.

use std::arch::x86_64::{__cpuid_count, CpuidResult};
use std::io;

use iced_x86::Register;
use libc::pid_t;

use super::inject::Injection;
use super::memory::Memory;
use super::tracee::Registers;

const ARCH_CPUID: u64 = 0x1012;
const FORBID: u64 = 0;
const ALLOW: u64 = 1;

/// Makes `cpuid` fault in a stopped process. Where the processor cannot do that, the program sees the real one.
pub fn hide(pid: pid_t, memory: &Memory) -> io::Result<()> {
    let injection = Injection::begin(pid, memory)?;
    // Fails with ENODEV there.
    let _ = injection.call(libc::SYS_arch_prctl, [ARCH_CPUID, FORBID, 0, 0, 0, 0]);
    injection.finish()
}

/// Lets a stopped process ask the real processor.
pub fn reveal(pid: pid_t, memory: &Memory) -> io::Result<()> {
    let injection = Injection::begin(pid, memory)?;
    let counter = [libc::PR_SET_TSC as u64, libc::PR_TSC_ENABLE as u64, 0, 0, 0, 0];
    injection.call(libc::SYS_prctl, counter)?;
    let _ = injection.call(libc::SYS_arch_prctl, [ARCH_CPUID, ALLOW, 0, 0, 0, 0]);
    injection.finish()
}

/// What the emulated `cpuid` returns: what the processor returns, without what differs from core to core and
/// what no seed decides.
pub fn described(leaf: u32, subleaf: u32) -> CpuidResult {
    conceal(leaf, subleaf, __cpuid_count(leaf, subleaf))
}

/// Takes away what differs from core to core, and what no seed decides: random numbers, the number of the core,
/// transactions (which abort when they please) and waiting for the real counter.
fn conceal(leaf: u32, subleaf: u32, mut result: CpuidResult) -> CpuidResult {
    const RDRAND: u32 = 1 << 30;
    const RDSEED: u32 = 1 << 18;
    const TRANSACTIONS: u32 = 1 << 4 | 1 << 11;
    const WAITPKG: u32 = 1 << 5;
    const RDPID: u32 = 1 << 22;
    match (leaf, subleaf) {
        (1, _) => {
            result.ecx &= !RDRAND;
            // The number of the core.
            result.ebx &= 0x00ff_ffff;
        }
        (7, 0) => {
            result.ebx &= !(RDSEED | TRANSACTIONS);
            result.ecx &= !(WAITPKG | RDPID);
        }
        // The number of the core.
        (0xb | 0x1f, _) => result.edx = 0,
        (0x8000_001e, _) => result.eax = 0,
        _ => {}
    }
    result
}

/// The field of a general register.
pub fn general_register(registers: &mut Registers, register: Register) -> Option<&mut u64> {
    Some(match register {
        Register::RAX => &mut registers.rax,
        Register::RBX => &mut registers.rbx,
        Register::RCX => &mut registers.rcx,
        Register::RDX => &mut registers.rdx,
        Register::RSI => &mut registers.rsi,
        Register::RDI => &mut registers.rdi,
        Register::RBP => &mut registers.rbp,
        Register::R8 => &mut registers.r8,
        Register::R9 => &mut registers.r9,
        Register::R10 => &mut registers.r10,
        Register::R11 => &mut registers.r11,
        Register::R12 => &mut registers.r12,
        Register::R13 => &mut registers.r13,
        Register::R14 => &mut registers.r14,
        Register::R15 => &mut registers.r15,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_seed_decides_is_concealed() {
        let all = || CpuidResult { eax: u32::MAX, ebx: u32::MAX, ecx: u32::MAX, edx: u32::MAX };
        let concealed = |leaf, subleaf| {
            let CpuidResult { eax, ebx, ecx, edx } = conceal(leaf, subleaf, all());
            [!eax, !ebx, !ecx, !edx]
        };
        assert_eq!(concealed(1, 0), [0, 0xff00_0000, 1 << 30, 0]);
        assert_eq!(concealed(7, 0), [0, 1 << 18 | 1 << 11 | 1 << 4, 1 << 22 | 1 << 5, 0]);
        assert_eq!(concealed(7, 1), [0; 4]);
        assert_eq!(concealed(0xb, 1), [0, 0, 0, u32::MAX]);
        assert_eq!(concealed(0x8000_0001, 0), [0; 4]);
    }
}
