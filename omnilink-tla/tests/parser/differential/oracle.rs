//! The other tree, with what is only there for editors left out.

use omnilink_tla::internal::syntax::operators::by_spelling;
use tree_sitter::{Node, Parser, Tree};

/// Signs that have a node of their own, and what we do not keep.
const LEFT_OUT: &[&str] = &[
    "all_map_to",
    "block_comment",
    "bullet_conj",
    "bullet_disj",
    "case_arrow",
    "case_box",
    "comment",
    "def_eq",
    "double_line",
    "extramodular_text",
    "gets",
    "header_line",
    "label_as",
    "langle_bracket",
    "maps_to",
    "rangle_bracket",
    "rangle_bracket_sub",
    "set_in",
    "single_line",
    "use_or_hide",
];

/// Nodes with one child that say nothing.
const TRANSPARENT: &[&str] =
    &["conj_item", "disj_item", "infix_op_symbol", "postfix_op_symbol", "prefix_op_symbol", "subexpr_component"];

/// One line per unit; the first names the module and what it extends.
pub fn module(text: &str) -> Vec<String> {
    let tree = parse(text);
    let root = tree.root_node();
    assert!(!root.has_error(), "the other parser does not accept this:\n{text}");
    let module = children(root).find(|node| node.kind() == "module").expect("a module");
    lines(module, text)
}

fn parse(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_tlaplus::LANGUAGE.into()).expect("the grammar fits the library");
    parser.parse(text, None).expect("nothing stops the parser")
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let count = node.named_child_count();
    (0..count).filter_map(move |at| node.named_child(at)).filter(|child| !LEFT_OUT.contains(&child.kind()))
}

fn lines(module: Node<'_>, text: &str) -> Vec<String> {
    let (mut header, mut units) = (String::from("(module"), Vec::new());
    for child in children(module) {
        match child.kind() {
            "identifier" => header += &format!(" {}", skeleton(child, text)),
            "extends" => header.extend(children(child).map(|name| format!(" {}", skeleton(name, text)))),
            "module" => units.extend(lines(child, text)),
            _ => units.push(skeleton(child, text)),
        }
    }
    [vec![header + ")"], units].concat()
}

fn skeleton(node: Node<'_>, text: &str) -> String {
    let written = &text[node.byte_range()];
    let parts = |nodes: &mut dyn Iterator<Item = Node<'_>>| {
        nodes.map(|child| format!(" {}", skeleton(child, text))).collect::<String>()
    };
    match node.kind() {
        kind if TRANSPARENT.contains(&kind) => parts(&mut children(node)).trim_start().to_owned(),
        "string" => written.to_owned(),
        "negative" => "-.".to_owned(),
        "binary_number" => radix(written, 2),
        "octal_number" => radix(written, 8),
        "hex_number" => radix(written, 16),
        "nat_number" => written.parse::<i64>().expect("a small number").to_string(),
        "theorem" => format!("(theorem{})", parts(&mut node.child_by_field_name("name").into_iter())),
        "fairness" => format!("(fairness {}{})", &written[..3], parts(&mut children(node))),
        "operator_declaration" => {
            let places = children(node).filter(|child| child.kind() == "placeholder").count();
            let names = &mut children(node).filter(|child| child.kind() != "placeholder");
            format!("(operator_declaration{} {places})", parts(names))
        }
        // Definitions of operators have the name between their parameters.
        "operator_definition" => {
            let name = node.child_by_field_name("name");
            let others = &mut children(node).filter(|child| Some(*child) != name);
            format!("(operator_definition{}{})", parts(&mut name.into_iter()), parts(others))
        }
        "prefixed_op" => {
            let nested =
                |child| if child_is(child, "subexpr_prefix") { children(child).collect() } else { vec![child] };
            format!("(prefixed_op{})", parts(&mut children(node).flat_map(nested)))
        }
        "bound_nonfix_op" => format!("(bound_op{})", parts(&mut children(node))),
        _ if children(node).next().is_none() && !is_bracketed(written) => word(written),
        kind => format!("({kind}{})", parts(&mut children(node))),
    }
}

fn child_is(node: Node<'_>, kind: &str) -> bool {
    node.kind() == kind
}

/// Whether a node without children is an empty pair of brackets rather than a word.
fn is_bracketed(written: &str) -> bool {
    written.starts_with(['{', '⟨']) || written.starts_with("<<") && written.len() > 2
}

fn radix(written: &str, radix: u32) -> String {
    i64::from_str_radix(&written[2..], radix).expect("a small number").to_string()
}

/// A name or symbol in its one way to write it.
fn word(written: &str) -> String {
    let canonical = match written {
        "ℕ" => "Nat",
        "ℤ" => "Int",
        "ℝ" => "Real",
        "∀" | "\\forall" => "\\A",
        "∃" | "\\exists" => "\\E",
        _ => by_spelling(written).map_or(written, |operator| operator.name),
    };
    canonical.to_owned()
}
