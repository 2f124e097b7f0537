//! The call in flight.

use crate::control::Control;
use crate::decode::{Cursor, Fault};
use crate::error::Problem;
use crate::event::{Argument, Event, LaneId, NameId, Outcome, Timebox};
use crate::layout;
use crate::table::Table;

/// A call that was open when recording ended.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    pub event: Event,
    /// The table entry that it is recorded with.
    pub entry: u16,
}

/// What the slot holds.
#[derive(Debug)]
pub(crate) struct Slot {
    pub pending: Pending,
    /// Parameters whose values were too large for the slot.
    pub oversized: Vec<NameId>,
}

/// Where in the file, and what is wrong there.
type Wrong = (u64, Problem);

/// The call in flight of a lane with `events` events in its stream, the last record of which ended at `previous`.
pub(crate) fn read(
    control: &Control,
    lane: LaneId,
    table: &Table,
    events: u64,
    previous: u64,
) -> Result<Option<Slot>, Wrong> {
    let sequence = control.u64(layout::SLOT_SEQUENCE_AT);
    let Some(number) = sequence.checked_sub(1) else { return Ok(None) };
    if number < events {
        return Ok(None);
    }
    if number > events {
        return Err((layout::SLOT_SEQUENCE_AT as u64, Problem::SlotAhead { slot: number, events }));
    }
    let start = control.u64(layout::SLOT_START_AT);
    if start < previous {
        return Err((layout::SLOT_START_AT as u64, Problem::Order { start, previous }));
    }
    let number = control.u32(layout::SLOT_ENTRY_AT).into();
    let entry = table.entry(number).map_err(|problem| (layout::SLOT_ENTRY_AT as u64, problem))?;
    let mut args: Vec<_> = entry.params.iter().map(|&param| Argument { param, value: None }).collect();
    fill(control, &mut args)?;
    let bits = control.u64(layout::SLOT_OVERSIZED_AT);
    let mut oversized = Vec::new();
    for (_, arg) in args.iter_mut().enumerate().filter(|(i, _)| bits >> i & 1 == 1) {
        arg.value = None;
        oversized.push(arg.param);
    }
    let event = Event {
        lane,
        index: events,
        candidates: entry.candidates.clone(),
        args,
        timebox: Timebox { start, end: None },
        outcome: Outcome::Pending,
        effects: Vec::new(),
        meta: Vec::new(),
        offset: layout::SLOT_SEQUENCE_AT as u64,
    };
    Ok(Some(Slot { pending: Pending { event, entry: number as u16 }, oversized }))
}

/// Gives `args` the values that the slot has; a later value replaces an earlier one.
fn fill(control: &Control, args: &mut [Argument]) -> Result<(), Wrong> {
    let count = control.u32(layout::SLOT_COUNT_AT) as usize;
    if count > layout::MAX_PARAMS {
        let problem =
            Problem::TooMany { what: "arguments of the call in flight", found: count, limit: layout::MAX_PARAMS };
        return Err((layout::SLOT_COUNT_AT as u64, problem));
    }
    let mut begin = layout::SLOT_AREA_AT;
    for i in 0..count {
        let at = layout::SLOT_TABLE_AT + 4 * i;
        let misplaced = || (at as u64, Problem::SlotArgument(i));
        let param = usize::from(control.u16(at));
        let end = layout::SLOT_AREA_AT + usize::from(control.u16(at + 2));
        let bytes = control.bytes().get(..end).filter(|_| begin <= end).ok_or_else(misplaced)?;
        let mut cursor = Cursor::new(bytes, begin);
        let value = cursor.value(0).map_err(|fault| match fault {
            Fault::Short => misplaced(),
            Fault::Bad(bad) => (bad.at as u64, bad.problem),
        })?;
        if cursor.at() != end {
            return Err(misplaced());
        }
        args.get_mut(param).ok_or_else(misplaced)?.value = Some(value);
        begin = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Vocabulary;
    use crate::source::Source;
    use crate::value::Value;
    use std::sync::Arc;

    /// A control block with a slot for event 3 of entry 0, `Put(key, value)`, and these entries and bytes.
    fn control(arguments: &[(u16, u16)], area: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; layout::DATA_OFFSET as usize];
        bytes[layout::SLOT_SEQUENCE_AT..][..8].copy_from_slice(&4_u64.to_le_bytes());
        bytes[layout::SLOT_START_AT..][..8].copy_from_slice(&70_u64.to_le_bytes());
        bytes[layout::SLOT_COUNT_AT..][..4].copy_from_slice(&(arguments.len() as u32).to_le_bytes());
        for (i, (param, end)) in arguments.iter().enumerate() {
            bytes[layout::SLOT_TABLE_AT + 4 * i..][..2].copy_from_slice(&param.to_le_bytes());
            bytes[layout::SLOT_TABLE_AT + 4 * i + 2..][..2].copy_from_slice(&end.to_le_bytes());
        }
        bytes[layout::SLOT_AREA_AT..][..area.len()].copy_from_slice(area);
        bytes
    }

    fn read(bytes: Vec<u8>, events: u64, previous: u64) -> Result<Option<Slot>, (u64, String)> {
        let (mut table, mut vocabulary) = (Table::default(), Vocabulary::default());
        table.define_action(&mut vocabulary, "Put", &["key", "value"]).unwrap();
        let control = Control::read(&Source::Memory(Arc::new(bytes))).unwrap();
        super::read(&control, 0, &table, events, previous).map_err(|(at, problem)| (at, problem.to_string()))
    }

    fn values(slot: Slot) -> Vec<Option<Value>> {
        slot.pending.event.args.into_iter().map(|arg| arg.value).collect()
    }

    #[test]
    fn the_sequence_number_decides() {
        let slot = || control(&[(0, 1)], &[7]);
        assert!(read(slot(), 4, 0).unwrap().is_none(), "committed: stale");
        let open = read(slot(), 3, 70).unwrap().unwrap();
        assert_eq!(open.pending.event.index, 3);
        assert_eq!(open.pending.event.timebox, Timebox { start: 70, end: None });
        assert_eq!(values(open), [Some(Value::Int(7)), None]);
        assert_eq!(
            read(slot(), 2, 0).unwrap_err(),
            (64, "the call in flight is event 3, but the stream has only 2 events".into())
        );
        let mut discarded = slot();
        discarded[layout::SLOT_SEQUENCE_AT] = 0;
        assert!(read(discarded, 3, 0).unwrap().is_none());
    }

    #[test]
    fn the_later_value_counts_and_the_oversized_one_is_unknown() {
        let mut bytes = control(&[(0, 1), (1, 2), (0, 4)], &[7, 8, 0xa1, b'x']);
        let slot = read(bytes.clone(), 3, 0).unwrap().unwrap();
        assert_eq!(values(slot), [Some(Value::from("x")), Some(Value::Int(8))]);
        bytes[layout::SLOT_OVERSIZED_AT] = 0b10;
        let slot = read(bytes, 3, 0).unwrap().unwrap();
        assert_eq!(slot.oversized.len(), 1);
        assert_eq!(values(slot), [Some(Value::from("x")), None]);
    }

    #[test]
    fn a_damaged_slot_is_an_error_with_its_place() {
        let outside = "argument 0 of the call in flight does not lie inside the argument area";
        assert_eq!(read(control(&[(2, 1)], &[7]), 3, 0).unwrap_err(), (96, outside.into()));
        assert_eq!(read(control(&[(0, 2)], &[7, 7]), 3, 0).unwrap_err(), (96, outside.into()));
        assert_eq!(read(control(&[(0, 65535)], &[7]), 3, 0).unwrap_err(), (96, outside.into()));
        assert_eq!(read(control(&[(0, 1)], &[0x91]), 3, 0).unwrap_err(), (96, outside.into()));
        let second = "argument 1 of the call in flight does not lie inside the argument area";
        assert_eq!(read(control(&[(0, 1), (1, 0)], &[7]), 3, 0).unwrap_err(), (100, second.into()));
        assert_eq!(
            read(control(&[(0, 1)], &[0xc0]), 3, 0).unwrap_err(),
            (512, "found nil where a value belongs".into())
        );
        let late = "starts at 70, before the end of the record before it in the same lane, 71";
        assert_eq!(read(control(&[], &[]), 3, 71).unwrap_err(), (72, late.into()));
        let mut bytes = control(&[], &[]);
        bytes[layout::SLOT_ENTRY_AT] = 1;
        let entry = "table entry 1 does not exist, the table has 1 entries so far";
        assert_eq!(read(bytes.clone(), 3, 0).unwrap_err(), (80, entry.into()));
        bytes[layout::SLOT_ENTRY_AT] = 0;
        bytes[layout::SLOT_COUNT_AT] = 65;
        let count = "65 arguments of the call in flight, at most 64 are allowed";
        assert_eq!(read(bytes, 3, 0).unwrap_err(), (84, count.into()));
    }
}
