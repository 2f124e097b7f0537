//! Writes first inputs for all targets into `corpus/`: real files, from which the fuzzer starts. `cargo run --example seeds`

use std::fs;
use std::path::Path;

use omnilink_trace::{Trace, jsonl, layout, pack, write_run};

/// Every kind of record, value and outcome once.
const TRACE: &str = r#"{"header":true,"format":"omnilink-jsonl","version":1,"spec":"S","next":"N","lanes":[{"thread":2,"name":"z"}]}
{"thread":0,"start":1,"end":2,"op":"A","x":1,"y":"s","z":[true,-70000,{"$set":[1,2]},{"$fun":[0,1]},{"a":5}]}
{"thread":0,"start":2,"end":9,"op":"A","x":null,"outcome":"indeterminate","meta":{"m":[1]}}
{"thread":1,"start":3,"end":3,"ops":["A","B"],"args":{"x":9223372036854775807},"outcome":"aborted"}
{"thread":1,"start":4,"end":5,"effects":[{"variable":"v","path":[1],"operation":"Update","args":[2]}]}
{"thread":0,"terminated":10,"meta":{"done":true}}
{"thread":1,"start":7,"end":null,"op":"A","x":3}
"#;

/// The same for upstream logs.
const LOG: &[u8] = b"\x82\xaeoperation_name\xa3Put\xa9operation\x85\xa3key\x05\xaa_did_abort\xc2\xa9_op_start\xcd\x01\x00\xa7_op_end\
    \xcd\x01\x10\xa5_meta\x81\xa1a\xc0\x82\xaeoperation_name\xad__AbortThread\xa9operation\x85\xaa_did_abort\xc2\xa9_op_start\
    \xcd\x02\x00\xa7_op_end\xcd\x02\x10\xa6signal\xa7SIGSEGV\xa5_meta\xc0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in ["lane", "jsonl", "upstream", "packed"] {
        fs::create_dir_all(corpus.join(target))?;
    }
    let place = tempfile::tempdir()?;
    let text = place.path().join("trace.jsonl");
    fs::write(&text, TRACE)?;
    fs::write(corpus.join("jsonl/seed"), TRACE)?;
    fs::write(corpus.join("upstream/seed"), LOG)?;
    let trace = Trace::open(&text)?;
    jsonl::write(&trace, fs::File::create(corpus.join("jsonl/exported"))?)?;
    let run = place.path().join("run");
    write_run(&trace, &run)?;
    let packed = place.path().join("run.tar.zst");
    pack(&run, &packed)?;
    fs::write(corpus.join("packed/seed"), zstd::decode_all(&fs::read(&packed)?[..])?)?;
    for lane in trace.lanes() {
        let name = layout::lane_file_name(lane.index());
        let file = fs::read(run.join(&name))?;
        let (control, stream) = file.split_at(layout::DATA_OFFSET as usize);
        let slot = &control[layout::SLOT_SEQUENCE_AT..layout::SLOT_TABLE_AT + 16];
        let area = &control[layout::SLOT_AREA_AT..][..16];
        let used = u8::try_from(slot.len() + area.len())?;
        fs::write(corpus.join("lane").join(&name), [&[0, used], slot, area, stream].concat())?;
    }
    Ok(())
}
