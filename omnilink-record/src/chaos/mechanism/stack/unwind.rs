//! From a function to its caller.
//!
//! The tables that exceptions unwind by (`.eh_frame`), or those for debuggers (`.debug_frame`), tell for every address
//! of code where the caller's registers are. Below a signal handler lies what the kernel saved when the signal came.

use gimli::{
    BaseAddresses, CfaRule, DebugFrame, EhFrame, Encoding, EvaluationResult, Format, LittleEndian, Location, Register,
    RegisterRule, UnwindContext, UnwindExpression, UnwindSection, Value, X86_64,
};
use object::{Object, ObjectSection};

use super::super::memory::Memory;
use super::super::tracee::Registers;
use crate::debug_file;

/// The registers that callers expect to find again, by their DWARF numbers, and the address of the next instruction.
#[derive(Debug, Clone)]
pub struct Activation {
    /// The next instruction.
    pub pc: u64,
    /// It was interrupted there, by a signal or by us: else the instruction before is a call.
    pub interrupted: bool,
    registers: [u64; 16],
}

/// A caller, and where the frame of the function that it called begins.
pub struct Caller {
    /// The caller.
    pub activation: Activation,
    /// The address on the stack.
    pub frame: u64,
}

/// What a handler returns to: `mov rax, 15; syscall`.
const RETURN_FROM_SIGNAL: [u8; 9] = [0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05];
/// What of the saved registers is where in `ucontext_t`, which is at the stack pointer then, by DWARF numbers.
const SAVED_REGISTERS: u64 = 40;
const SAVED: [usize; 16] = [13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const SAVED_PC: u64 = 16;

impl Activation {
    /// What a stopped thread is in.
    pub fn of(registers: &Registers) -> Self {
        let Registers { rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, rip, .. } =
            *registers;
        let registers = [rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15];
        Self { pc: rip, interrupted: true, registers }
    }

    /// What a register holds. The tables of the stubs that call other libraries (`.plt`) ask for the next instruction, too.
    fn get(&self, register: Register) -> Option<u64> {
        if register == X86_64::RA {
            return Some(self.pc);
        }
        self.registers.get(usize::from(register.0)).copied()
    }

    fn stack_pointer(&self) -> u64 {
        self.registers[usize::from(X86_64::RSP.0)]
    }

    /// Where a handler was called from, if this is what it returns to.
    pub fn interrupted_by_signal(&self, memory: &Memory) -> Option<Caller> {
        let mut code = [0; RETURN_FROM_SIGNAL.len()];
        memory.read(self.pc, &mut code).ok()?;
        if code != RETURN_FROM_SIGNAL {
            return None;
        }
        let saved = self.stack_pointer() + SAVED_REGISTERS;
        let mut registers = [0; 16];
        for (register, at) in registers.iter_mut().zip(SAVED) {
            *register = memory.u64(saved + 8 * at as u64).ok()?;
        }
        let pc = memory.u64(saved + 8 * SAVED_PC).ok()?;
        Some(Caller { activation: Self { pc, interrupted: true, registers }, frame: self.stack_pointer() })
    }

    /// Who called an address where there is no code: the call has pushed where it returns to, and nothing has happened
    /// since.
    pub fn called_nothing(&self, memory: &Memory) -> Option<Caller> {
        let mut caller = self.clone();
        caller.pc = memory.u64(self.stack_pointer()).ok()?;
        caller.interrupted = false;
        caller.registers[usize::from(X86_64::RSP.0)] += 8;
        Some(Caller { frame: caller.stack_pointer(), activation: caller })
    }

    /// The caller, by the tables of the file that the function at `address` of it is in.
    pub fn caller(&self, file: &object::File<'_>, address: u64, memory: &Memory) -> Option<Caller> {
        let text = file.section_by_name(".text").map_or(0, |text| text.address());
        if let Some(section) = file.section_by_name(".eh_frame")
            && let Ok(data) = section.data()
        {
            let bases = BaseAddresses::default().set_eh_frame(section.address()).set_text(text);
            let found = self.caller_by(&EhFrame::new(data, LittleEndian), &bases, address, memory);
            if found.is_some() {
                return found;
            }
        }
        let data = debug_file::contents(file, ".debug_frame")?;
        let mut frames = DebugFrame::new(&data, LittleEndian);
        frames.set_address_size(8);
        self.caller_by(&frames, &BaseAddresses::default().set_text(text), address, memory)
    }

    fn caller_by<'d, S>(&self, frames: &S, bases: &BaseAddresses, address: u64, memory: &Memory) -> Option<Caller>
    where
        S: UnwindSection<gimli::EndianSlice<'d, LittleEndian>>,
    {
        let mut context = UnwindContext::new();
        let row = frames.unwind_info_for_address(bases, &mut context, address, S::cie_from_offset).ok()?;
        let cfa = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => self.get(*register)?.wrapping_add_signed(*offset),
            CfaRule::Expression(expression) => self.evaluate(frames, expression, None, memory)?,
        };
        let saved = |rule: RegisterRule<usize>| match rule {
            RegisterRule::Offset(offset) => memory.u64(cfa.wrapping_add_signed(offset)).ok(),
            RegisterRule::ValOffset(offset) => Some(cfa.wrapping_add_signed(offset)),
            RegisterRule::Register(other) => self.get(other),
            RegisterRule::Expression(at) => memory.u64(self.evaluate(frames, &at, Some(cfa), memory)?).ok(),
            RegisterRule::ValExpression(value) => self.evaluate(frames, &value, Some(cfa), memory),
            _ => None,
        };
        let mut caller = self.clone();
        for number in 0..self.registers.len() as u16 {
            if let Some(rule) = row.register(Register(number)).filter(|rule| *rule != RegisterRule::Undefined) {
                caller.registers[usize::from(number)] = saved(rule).unwrap_or(caller.registers[usize::from(number)]);
            }
        }
        caller.registers[usize::from(X86_64::RSP.0)] = cfa;
        // Where a thread begins nobody is told to have called it.
        caller.pc = row.register(X86_64::RA).and_then(saved).unwrap_or_default();
        caller.interrupted = false;
        Some(Caller { activation: caller, frame: cfa })
    }

    /// What an expression of the tables comes to.
    fn evaluate<'d, S>(
        &self,
        frames: &S,
        expression: &UnwindExpression<usize>,
        pushed: Option<u64>,
        memory: &Memory,
    ) -> Option<u64>
    where
        S: UnwindSection<gimli::EndianSlice<'d, LittleEndian>>,
    {
        let encoding = Encoding { address_size: 8, format: Format::Dwarf32, version: 4 };
        let mut evaluation = expression.get(frames).ok()?.evaluation(encoding);
        pushed.into_iter().for_each(|value| evaluation.set_initial_value(value));
        let mut result = evaluation.evaluate().ok()?;
        loop {
            result = match result {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    evaluation.resume_with_register(Value::Generic(self.get(register)?)).ok()?
                }
                EvaluationResult::RequiresMemory { address, size, .. } => {
                    let mut bytes = [0; 8];
                    memory.read(address, bytes.get_mut(..usize::from(size))?).ok()?;
                    evaluation.resume_with_memory(Value::Generic(u64::from_le_bytes(bytes))).ok()?
                }
                _ => return None,
            };
        }
        match evaluation.result().first()?.location {
            Location::Address { address } => Some(address),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stubs push a number on their way, which is why their tables look at where in them a thread is.
    #[test]
    fn stubs_that_call_other_libraries_have_callers() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let library =
            maps.lines().find_map(|line| line.split_whitespace().last().filter(|file| file.contains("libc.so")));
        let bytes = std::fs::read(library.unwrap()).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let stubs = file.section_by_name(".plt").unwrap().address();
        let memory = Memory::of(std::process::id().cast_signed()).unwrap();
        let stack = [1_u64, 2, 3];
        // `jmp`, at 0; `push`, at 6; `jmp`, at 11.
        for (at, caller) in [(0, 1), (6, 1), (11, 2)] {
            let address = stubs + 16 + at;
            let mut registers = [0; 16];
            registers[usize::from(X86_64::RSP.0)] = stack.as_ptr() as u64;
            let here = Activation { pc: address, interrupted: true, registers };
            assert_eq!(here.caller(&file, address, &memory).unwrap().activation.pc, caller, "at {at}");
        }
    }
}
