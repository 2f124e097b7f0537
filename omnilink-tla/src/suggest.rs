//! Wording that errors share: "did you mean …", the known name that is most like a mistyped one, and numbers of things.

/// The candidate that is fewest edits away from `name`, if that is few enough to be a typo.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let allowed = if length < 3 { 0 } else { (length * 2 / 5).clamp(1, 3) };
    candidates
        .into_iter()
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(edits, candidate)| (1..=allowed).contains(edits) || candidate.eq_ignore_ascii_case(name))
        .min()
        .map(|(_, candidate)| candidate)
}

/// A number of things, in words.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        more => format!("{more} {thing}s"),
    }
}

/// The hint that names the closest candidate.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// How many characters to insert, delete, replace or swap with their neighbour to get from one text to the other.
fn edits(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before_last = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, left) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in to.iter().enumerate() {
            let mut least =
                (last[column] + usize::from(left != right)).min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *left == to[column - 1] && from[row - 1] == *right {
                least = least.min(before_last[column - 1] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typos_and_nothing_else() {
        let known = ["Enqueue", "Dequeue", "Int", "Init", "TypeOK", "vars", "y"];
        for (typo, expected) in [
            ("Enque", Some("Enqueue")),
            ("Enqueeu", Some("Enqueue")),
            ("Dequeu", Some("Dequeue")),
            ("Inti", Some("Init")),
            ("TypeOk", Some("TypeOK")),
            ("VARS", Some("vars")),
            ("Send", None),
            ("x", None),
            ("Not", None),
        ] {
            assert_eq!(closest(typo, known), expected, "{typo}");
        }
    }
}
