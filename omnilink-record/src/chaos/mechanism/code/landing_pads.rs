//! Where exceptions and panics continue.
//!
//! A function that catches or cleans up has a table of its calls and, for each, the address to continue at when the
//! call throws (Itanium C++ ABI, *Exception Handling Tables*). No jump instruction leads there.

use gimli::{EndianSlice, LittleEndian, Reader};

/// What a table says if it does not have something.
const OMITTED: u8 = 0xff;

/// How numbers are written.
mod encoding {
    pub const ABSOLUTE: u8 = 0x00;
    pub const ULEB128: u8 = 0x01;
    pub const UDATA2: u8 = 0x02;
    pub const UDATA4: u8 = 0x03;
    pub const UDATA8: u8 = 0x04;
    /// Only these bits tell the size.
    pub const FORM: u8 = 0x07;
}

/// The addresses in the table at the beginning of `bytes`, which belongs to the function at `function`.
pub fn addresses(bytes: &[u8], function: u64) -> Vec<u64> {
    let mut addresses = Vec::new();
    // A table that ends too early has no further addresses.
    let _ = read(EndianSlice::new(bytes, LittleEndian), function, &mut addresses);
    addresses
}

fn read(mut table: EndianSlice<'_, LittleEndian>, function: u64, addresses: &mut Vec<u64>) -> Result<(), gimli::Error> {
    let base = match table.read_u8()? {
        OMITTED => function,
        form => number(&mut table, form)?,
    };
    if table.read_u8()? != OMITTED {
        table.read_uleb128()?;
    }
    let form = table.read_u8()?;
    let length = table.read_uleb128()?;
    let mut calls = table.split(length as usize)?;
    while !calls.is_empty() {
        let (_start, _length) = (number(&mut calls, form)?, number(&mut calls, form)?);
        let landing_pad = number(&mut calls, form)?;
        calls.read_uleb128()?;
        if landing_pad != 0 {
            addresses.push(base.wrapping_add(landing_pad));
        }
    }
    Ok(())
}

fn number(table: &mut EndianSlice<'_, LittleEndian>, form: u8) -> Result<u64, gimli::Error> {
    match form & encoding::FORM {
        encoding::ULEB128 => table.read_uleb128(),
        encoding::UDATA2 => table.read_u16().map(u64::from),
        encoding::UDATA4 => table.read_u32().map(u64::from),
        encoding::ABSOLUTE | encoding::UDATA8 => table.read_u64(),
        _ => Err(gimli::Error::UnknownPointerEncoding(gimli::DwEhPe(form))),
    }
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[test]
    fn tables() {
        let cases: [(&str, &[u8], &[u64]); 4] = [
            ("two calls, one with a landing pad", &[0xff, 0xff, 1, 9, 0, 4, 0, 0, 4, 2, 0x90, 1, 8], &[0x1090]),
            ("what follows is not part of it", &[0xff, 0xff, 1, 4, 0, 4, 0, 0, 4, 2, 0x90, 1, 8], &[]),
            ("types, four-byte numbers", &[0xff, 0x9b, 9, 3, 13, 0, 0, 0, 0, 4, 0, 0, 0, 0x20, 0, 0, 0, 1], &[0x1020]),
            ("cut off", &[0xff, 0xff, 1, 90, 0], &[]),
        ];
        for (name, table, expected) in cases {
            assert_eq!(addresses(table, 0x1000), expected, "{name}");
        }
    }
}
