//! Registers, as the kernel and as gdb's protocol have them.

use std::io;

use gdbstub_arch::x86::reg::{X86_64CoreRegs, X86SegmentRegs, X87FpuInternalRegs};
use libc::pid_t;

use crate::chaos::mechanism::tracee::{self, FloatingPoint, Registers};

/// The registers of a stopped thread, which shows to be at `address`.
pub fn read(tid: pid_t, address: impl Fn(u64) -> u64) -> io::Result<X86_64CoreRegs> {
    let general = tracee::registers(tid)?;
    let floating = tracee::floating_point(tid)?;
    let Registers { rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, .. } = general;
    let mut st = [[0; 10]; 8];
    for (register, words) in st.iter_mut().zip(floating.st_space.chunks_exact(4)) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        register.copy_from_slice(&bytes[..10]);
    }
    let mut xmm = [0; 16];
    for (register, words) in xmm.iter_mut().zip(floating.xmm_space.chunks_exact(4)) {
        *register = words.iter().rev().fold(0, |value: u128, word| value << 32 | u128::from(*word));
    }
    Ok(X86_64CoreRegs {
        regs: [rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15],
        eflags: general.eflags as u32,
        rip: address(general.rip),
        segments: X86SegmentRegs {
            cs: general.cs as u32,
            ss: general.ss as u32,
            ds: general.ds as u32,
            es: general.es as u32,
            fs: general.fs as u32,
            gs: general.gs as u32,
        },
        st,
        fpu: control_words(&floating),
        xmm,
        mxcsr: floating.mxcsr,
    })
}

fn control_words(floating: &FloatingPoint) -> X87FpuInternalRegs {
    // A bit per register tells whether it is in use; the protocol wants two bits, of which 3 means that it is not.
    let tag = |register: u32| if floating.ftw & (1 << register) == 0 { 3 << (2 * register) } else { 0 };
    X87FpuInternalRegs {
        fctrl: floating.cwd.into(),
        fstat: floating.swd.into(),
        ftag: (0..8).map(tag).sum(),
        fiseg: (floating.rip >> 32) as u32,
        fioff: floating.rip as u32,
        foseg: (floating.rdp >> 32) as u32,
        fooff: floating.rdp as u32,
        fop: floating.fop.into(),
    }
}

/// Changes the registers of a stopped thread; `place` tells where a thread that is there goes on if it shall be shown
/// to be here. What says how the floating-point unit works is left as it is.
pub fn write(tid: pid_t, new: &X86_64CoreRegs, place: impl Fn(u64, u64) -> u64) -> io::Result<()> {
    let mut general = tracee::registers(tid)?;
    let [rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15] = new.regs;
    (general.rax, general.rbx, general.rcx, general.rdx) = (rax, rbx, rcx, rdx);
    (general.rsi, general.rdi, general.rbp, general.rsp) = (rsi, rdi, rbp, rsp);
    (general.r8, general.r9, general.r10, general.r11) = (r8, r9, r10, r11);
    (general.r12, general.r13, general.r14, general.r15) = (r12, r13, r14, r15);
    general.eflags = new.eflags.into();
    general.rip = place(general.rip, new.rip);
    tracee::set_registers(tid, &general)?;
    let mut floating = tracee::floating_point(tid)?;
    for (register, words) in new.st.iter().zip(floating.st_space.chunks_exact_mut(4)) {
        for (word, bytes) in words.iter_mut().zip(register.chunks(4)) {
            *word = bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
        }
    }
    for (register, words) in new.xmm.iter().zip(floating.xmm_space.chunks_exact_mut(4)) {
        for (at, word) in words.iter_mut().enumerate() {
            *word = (register >> (32 * at)) as u32;
        }
    }
    tracee::set_floating_point(tid, &floating)
}
