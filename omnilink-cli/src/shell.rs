//! Commands in shell syntax, for users to copy.

use std::env;
use std::path::PathBuf;

/// A command of this program, with the program's path as on this call.
pub fn own_command<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let program = env::args_os().next().map_or("omnilink".into(), |program| program.to_string_lossy().into_owned());
    let mut command = quoted(&program);
    for word in words {
        command.push(' ');
        command.push_str(&quoted(word.as_ref()));
    }
    command
}

/// The same, to be used in another directory.
pub fn own_command_elsewhere<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let called = env::args_os().next().map_or("omnilink".into(), PathBuf::from);
    let is_path = called.components().count() > 1;
    let program = if is_path { std::path::absolute(&called).unwrap_or(called) } else { called };
    let words = words.into_iter().map(|word| quoted(word.as_ref()));
    [quoted(&program.to_string_lossy())].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// A command of another program.
pub fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word, quoted for the shell if necessary.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        let cases = [
            ("runs/run-000001", "runs/run-000001"),
            ("", "''"),
            ("Keys = {1, 2}", "'Keys = {1, 2}'"),
            ("it's $HOME", r"'it'\''s $HOME'"),
            ("~", "'~'"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word), expected);
        }
    }
}
