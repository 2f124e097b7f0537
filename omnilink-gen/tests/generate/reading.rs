//! What specifications give.

use omnilink_gen::Reading;
use omnilink_gen::model::{Model, Type};

use crate::specs;

#[test]
fn models_of_every_specification() {
    for case in specs::all() {
        let Reading { model, notes } = case.reading();
        let notes: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
        insta::assert_snapshot!(case.name, shown(&model) + &notes);
    }
}

#[test]
fn the_hash_changes_with_every_module() {
    let hashes: std::collections::HashSet<String> = specs::all().map(|case| case.model().hash).collect();
    assert_eq!(hashes.len(), specs::all().count());
    let place = tempfile::tempdir().unwrap();
    let copy = |name: &str, change: &str| {
        let text = std::fs::read_to_string(format!("tests/specs/{name}.tla")).unwrap();
        std::fs::write(place.path().join(format!("{name}.tla")), text + change).unwrap();
    };
    let hash = || {
        let spec = omnilink_tla::Spec::load(place.path().join("Instances.tla"), &omnilink_tla::Options::default());
        omnilink_gen::read(&spec.unwrap(), &omnilink_gen::Choice::default()).unwrap().model.hash
    };
    copy("Instances", "");
    copy("Cell", "");
    let before = hash();
    copy("Cell", "\\* A word about it.\n");
    assert_ne!(hash(), before);
}

/// One line per action, parameter and enumeration.
fn shown(model: &Model) -> String {
    let mut text = format!("{} ({}), {}\n", model.spec, model.file, model.next);
    for action in &model.actions {
        let places: Vec<_> = action.definitions.iter().map(|definition| definition.place.as_str()).collect();
        text += &format!("{} at {}\n", action.name, places.join(" and "));
        for disjunct in &action.disjuncts {
            text += &format!("    by {disjunct}\n");
        }
        for param in &action.params {
            text +=
                &format!("    {}: {} from {}\n", param.name, type_text(&param.ty, model), param.bounds.join(" or "));
        }
    }
    for known in &model.enums {
        text += &format!("{} = {:?}\n", known.name, known.strings);
    }
    text
}

fn type_text(ty: &Type, model: &Model) -> String {
    let text = |ty: &Type| type_text(ty, model);
    let limit = |limit: &Option<i64>| limit.map_or_else(|| "_".to_owned(), |limit| limit.to_string());
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int { min, max } => format!("int {}..{}", limit(min), limit(max)),
        Type::Str => "string".to_owned(),
        Type::Enum(place) => model.enums[*place].name.clone(),
        Type::Seq(element) => format!("seq of {}", text(element)),
        Type::Set(element) => format!("set of {}", text(element)),
        Type::Tuple(parts) => format!("<<{}>>", parts.iter().map(text).collect::<Vec<_>>().join(", ")),
        Type::Record(fields) => {
            let fields: Vec<_> = fields.iter().map(|(name, ty)| format!("{name}: {}", text(ty))).collect();
            format!("[{}]", fields.join(", "))
        }
        Type::Function(domain, range) => format!("[{} -> {}]", text(domain), text(range)),
        Type::Dynamic => "anything".to_owned(),
    }
}
