#![allow(unused)]

use omnilink::ToTla;

#[derive(ToTla)]
union Bits {
    signed: i32,
    unsigned: u32,
}

#[derive(ToTla)]
#[tla(tag = "kind")]
struct Tagged {
    x: u8,
}

#[derive(ToTla)]
#[tla(rename = "point")]
struct Renamed {
    x: u8,
}

#[derive(ToTla)]
#[tla(tag = "kind")]
enum Plain {
    A,
    B,
}

#[derive(ToTla)]
#[tla(rename = "mode")]
enum RenamedEnum {
    A,
}

#[derive(ToTla)]
#[tla(rename_all = "kebab-case")]
struct Kebab {
    x: u8,
}

#[derive(ToTla)]
#[tla(case = "lower")]
struct UnknownOnType {
    x: u8,
}

#[derive(ToTla)]
struct UnknownOnField {
    #[tla(name = "y")]
    x: u8,
}

#[derive(ToTla)]
enum UnknownOnVariant {
    #[tla(skip)]
    A,
}

#[derive(ToTla)]
struct NotAString {
    #[tla(rename = y)]
    x: u8,
}

#[derive(ToTla)]
struct TupleField(#[tla(rename = "y")] u8, u8);

#[derive(ToTla)]
struct SkippedNewtype(#[tla(skip)] u8);

#[derive(ToTla)]
struct SameFields {
    #[tla(rename = "y")]
    x: u8,
    y: u8,
}

#[derive(ToTla)]
enum SameVariants {
    #[tla(rename = "B")]
    A,
    B,
}

#[derive(ToTla)]
enum TagIsField {
    A { tag: u8 },
}

#[derive(ToTla)]
#[tla(tag = "value")]
enum TagIsValue {
    A(u8),
}

fn main() {}
