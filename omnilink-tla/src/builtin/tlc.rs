//! `TLC`: making functions, printing, asserting, sorting, registers, randomness.

use omnilink_budget::poll;

use super::sequences::elements;
use super::{BuiltinModule, Native, NativeArg, Outcome, exactly};
use crate::eval::{Failure, Host};
use crate::value::{MAX_ELEMENTS, Problem, Shape, Short, Tuple, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "TLC",
    standard: true,
    extends: &[],
    operators: &[
        Native::two(":>", |key, value| Value::function([(key.clone(), value.clone())])),
        Native::two("@@", Value::merge),
        Native::shows("Print", &[0, 0], print),
        Native::shows("PrintT", &[0], print_true),
        Native::two("Assert", assert),
        Native::one("ToString", |value| Ok(Value::string(&shown(value)?))),
        Native::one("Permutations", permutations),
        Native::higher("SortSeq", &[0, 2], sort),
        Native::hosted("RandomElement", &[0], random_element),
        Native::hosted("TLCGet", &[0], get),
        Native::hosted("TLCSet", &[0, 0], set),
        Native::one("TLCEval", evaluated),
        Native::hosted("JavaTime", &[], |host, _| Ok(time(host))),
        Native::constant("Any", Value::any),
    ],
};

const RANDOM: &str = "apply RandomElement";

/// The text of a value, with the elements of its sets listed wherever they can be.
pub(super) fn shown(value: &Value) -> Result<String, ValueError> {
    Ok(listed(value)?.to_string())
}

/// The value with every finite set in it listed and every finite function tabulated.
fn listed(value: &Value) -> Outcome {
    match value {
        _ if value.is_normal() => Ok(value.clone()),
        Value::Tuple(tuple) => Value::tuple(tuple.iter().map(listed).collect::<Result<Vec<_>, _>>()?),
        Value::Function(function) => {
            let values = function.iter().map(|(_, value)| listed(value)).collect::<Result<_, _>>()?;
            Value::function_over(&function.domain(), values)
        }
        _ => evaluated(value),
    }
}

fn print(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [text, value] = exactly(arguments);
    host.print(&format!("{}  {}", shown(text)?, shown(value)?));
    Ok(value.clone())
}

fn print_true(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [value] = exactly(arguments);
    host.print(&shown(value)?);
    Ok(Value::Bool(true))
}

fn assert(condition: &Value, message: &Value) -> Outcome {
    match condition {
        Value::Bool(true) => Ok(Value::Bool(true)),
        _ => Err(ValueError::rule(format!("assertion failed: {}", shown(message)?))),
    }
}

/// All bijections of a set to itself.
fn permutations(set: &Value) -> Outcome {
    let domain = set.to_set("apply Permutations")?;
    let count = (1..=domain.len()).try_fold(1_usize, usize::checked_mul);
    if count.is_none_or(|count| count > MAX_ELEMENTS) {
        return Err(Problem::TooLarge { set: set.clone(), limit: MAX_ELEMENTS, doing: "list all permutations" }.into());
    }
    let sorted: Vec<_> = domain.iter().collect();
    let mut order: Vec<_> = (0..sorted.len()).collect();
    let mut permutations = Vec::new();
    loop {
        poll();
        let values = order.iter().map(|index| sorted[*index].clone()).collect();
        permutations.push(Value::function_over(&domain, values)?);
        if !next_permutation(&mut order) {
            return Value::set(permutations);
        }
    }
}

/// Makes it the next one in lexicographic order, unless it is the last.
pub(super) fn next_permutation(order: &mut [usize]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let Some(successor) = order.iter().rposition(|index| *index > order[pivot]) else { return false };
    order.swap(pivot, successor);
    order[pivot + 1..].reverse();
    true
}

fn sort(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [sequence, before] = exactly(arguments);
    let sequence = elements(sequence.value()?, "apply SortSeq")?;
    Ok(Value::tuple(sorted(&sequence, |a, b| before.holds(&[a.clone(), b.clone()], "apply SortSeq"))?)?)
}

/// Insertion as TLC does it: the operator need not be an order, and then the algorithm decides what comes out.
pub(super) fn sorted<E>(sequence: &Tuple, before: impl Fn(&Value, &Value) -> Result<bool, E>) -> Result<Vec<Value>, E> {
    let mut sorted: Vec<Value> = Vec::with_capacity(sequence.len());
    for element in sequence.iter() {
        let mut place = sorted.len();
        while place > 0 && before(element, &sorted[place - 1])? {
            place -= 1;
        }
        sorted.insert(place, element.clone());
    }
    Ok(sorted)
}

fn random_element(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [set] = exactly(arguments);
    Ok(random(host, set)?)
}

/// Elements of sets that are too large to be listed are put together of random parts, as in TLC.
pub(super) fn random(host: &dyn Host, set: &Value) -> Outcome {
    if let Value::Symbolic(symbolic) = set {
        match symbolic.shape() {
            Shape::Functions { domain, range } => {
                let domain = domain.to_set(RANDOM)?;
                domain.check_listable(RANDOM)?;
                let values = (0..domain.len()).map(|_| random(host, range)).collect::<Result<_, _>>()?;
                return Value::function_over(&domain, values);
            }
            Shape::Records(fields) => {
                let field = |(name, set): &(_, _)| Ok((*name, random(host, set)?));
                return Value::record(fields.iter().map(field).collect::<Result<Vec<_>, ValueError>>()?);
            }
            Shape::Product(factors) => {
                let parts = factors.iter().map(|factor| random(host, factor)).collect::<Result<Vec<_>, _>>()?;
                return Value::tuple(parts);
            }
            Shape::Subsets(base) => {
                let base = base.to_set(RANDOM)?;
                return Ok(Value::Set(base.filtered(|_| Ok::<_, ValueError>(host.random(2) == 1))?));
            }
            _ => {}
        }
    }
    let elements = set.to_set(RANDOM)?;
    let empty = || Problem::Empty { found: set.clone(), doing: RANDOM };
    if elements.is_empty() {
        return Err(empty().into());
    }
    let index = host.random(elements.len() as u64);
    match elements.bounds() {
        // Of an interval, which may be long, the element is computed.
        Some((low, _)) => Ok(Value::Int(low.saturating_add_unsigned(index))),
        None => Ok(elements.iter().nth(index as usize).ok_or_else(empty)?),
    }
}

fn get(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [register] = exactly(arguments);
    host.register(register).ok_or_else(|| match register {
        Value::Int(_) => Failure::unplaced(format!("TLCGet({register}): nothing was set in this register"))
            .hint(format!("`ASSUME TLCSet({register}, 0)` gives it a first value")),
        _ => Failure::unplaced(format!("TLCGet({}): there is no such register", Short(register))),
    })
}

fn set(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [register, value] = exactly(arguments);
    if !matches!(register, Value::Int(0..)) {
        let message = format!("TLCSet({}, …): a register is a natural number", Short(register));
        return Err(Failure::unplaced(message));
    }
    host.set_register(register, value.clone());
    Ok(Value::Bool(true))
}

/// The set with its elements listed or the function with its values tabulated, if it is finite.
fn evaluated(value: &Value) -> Outcome {
    match value {
        Value::Symbolic(_) if value.is_finite()? => Ok(Value::Set(value.to_set("list the elements of a set")?)),
        Value::Lambda(lambda) if lambda.domain().is_finite()? => listed(lambda.to_function()?),
        _ => Ok(value.clone()),
    }
}

/// Milliseconds since 1970, in 31 bits as TLC has them.
fn time(host: &dyn Host) -> Value {
    Value::Int((host.world().milliseconds() & 0x7fff_ffff) as i64)
}
