//! Whether an expression mentions a variable.
//!
//! This decides when the expression is evaluated: an expression that mentions `ret` is evaluated after the call. The answer may
//! be "yes" too often (a closure's own parameter may be called `ret`; then the expression is merely evaluated late) but
//! never "no" for an expression that needs the variable. So tokens are searched, those of macros such as `matches!(ret, Ok(_))` and
//! the text of format strings such as `"{ret:?}"` as well.

use proc_macro2::{Ident, Literal, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;
use syn::ext::IdentExt;

/// The first place where `expr` mentions the variable `name`: an identifier with the name and the hygiene of that
/// place.
pub fn mention(expr: &Expr, name: &str) -> Option<Ident> {
    mention_in_tokens(expr.to_token_stream(), name)
}

/// As [`mention`], for tokens that are not parsed.
pub fn mention_in_tokens(tokens: TokenStream, name: &str) -> Option<Ident> {
    let mut search = Search { name, found: None };
    search.tokens(tokens);
    search.found
}

struct Search<'n> {
    name: &'n str,
    found: Option<Ident>,
}

impl Search<'_> {
    fn identifier(&mut self, ident: &Ident) {
        if self.found.is_none() && ident.unraw() == self.name {
            self.found = Some(ident.clone());
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        // `x.ret` is a field, but `0..ret` is not.
        let (mut dots, mut is_member) = (0, false);
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            // `ret::f()` is a module or a type.
            let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Joint);
            match &token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(ident) if !is_member && !is_path => self.identifier(ident),
                TokenTree::Literal(literal) => self.format_string(literal),
                _ => {}
            }
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == '.' => {
                    dots += 1;
                    is_member = dots == 1 && punct.spacing() == Spacing::Alone;
                }
                _ => (dots, is_member) = (0, false),
            }
        }
    }

    /// Finds `{name}`, `{name:…}` and `name$` (a width or precision).
    fn format_string(&mut self, literal: &Literal) {
        let text = literal.to_string();
        if !text.ends_with(['"', '#']) {
            return;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let found = text.match_indices(self.name).any(|(at, _)| {
            let before = text[..at].trim_end().chars().next_back();
            let after = text[at + self.name.len()..].trim_start().chars().next();
            let is_argument = before == Some('{') && matches!(after, Some('}' | ':'));
            let is_width = after == Some('$') && !before.is_some_and(is_word);
            is_argument || is_width
        });
        if found {
            self.identifier(&Ident::new(self.name, literal.span()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expr: &str, expected: bool) {
        let parsed: Expr = syn::parse_str(expr).expect("an expression");
        assert_eq!(mention(&parsed, "ret").is_some(), expected, "{expr}");
        let tokens: TokenStream = expr.parse().expect("tokens");
        assert_eq!(mention_in_tokens(tokens, "ret").is_some(), expected, "{expr} as tokens");
    }

    #[test]
    fn uses_are_found() {
        for expr in [
            "ret",
            "ret.is_err()",
            "!ret",
            "f(1, &ret)",
            "r#ret",
            "{ let n = 3; n + ret.len() }",
            "Pair { a: 1, ret }",
            "|x| x == ret",
            "0..ret",
            "0..=ret",
            "matches!(ret, Ok(_))",
            "vec![1, 2 + ret]",
            "vec![0..ret]",
            "outer!(inner!(ret))",
            r#"format!("{ret}")"#,
            r#"format!("a { ret :?}")"#,
            r##"format!(r#"{ret}"#)"##,
            r#"format!("{:ret$}", 3)"#,
            r#"format!("{:.ret$}", 3)"#,
        ] {
            check(expr, true);
        }
    }

    #[test]
    fn other_things_of_that_name_are_not_uses() {
        for expr in [
            "value",
            "self.ret",
            "value.ret().len()",
            "ret::len(value)",
            "ret::Kind::default()",
            "retry",
            "matches!(self.ret, Ok(_))",
            r#""ret""#,
            r#"format!("ret {}", 3)"#,
            r#"format!("{retry} {secret:?} {:secret$}")"#,
            "'r'",
        ] {
            check(expr, false);
        }
    }
}
