//! Writes the first inputs: real modules for `module`, a byte for each of them for `damaged`.

use std::fs;
use std::path::Path;

use omnilink_tla_fuzz::modules;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let (whole, damaged) = (corpus.join("module"), corpus.join("damaged"));
    fs::create_dir_all(&whole)?;
    fs::create_dir_all(&damaged)?;
    for (number, module) in modules().iter().enumerate() {
        fs::write(whole.join(format!("seed-{number}")), module)?;
        let edits: Vec<u8> =
            std::iter::once(number as u8).chain((0..40_usize).map(|byte| (byte * 37 + number) as u8)).collect();
        fs::write(damaged.join(format!("seed-{number}")), edits)?;
    }
    Ok(())
}
