//! Our tree in the words of the other grammar.

use omnilink_tla::internal::syntax::ast::{
    Body, Bound, Definition, Expr, ExprKind, Ident, Instance, Module, OpDecl, Pattern, Selector, Step, Unit, Update,
};
use omnilink_tla::internal::syntax::operators::{Fixity, by_spelling};

/// One line per unit; the first names the module and what it extends.
pub fn module(module: &Module) -> Vec<String> {
    let mut lines =
        vec![node("module", [name(module.name)].into_iter().chain(module.extends.iter().copied().map(name)))];
    for unit_ in &module.units {
        match unit_ {
            Unit::Module(inner) => lines.extend(self::module(inner)),
            _ => lines.push(unit(unit_)),
        }
    }
    lines
}

fn node(kind: &str, children: impl IntoIterator<Item = String>) -> String {
    children.into_iter().fold(format!("({kind}"), |line, child| line + " " + &child) + ")"
}

fn name(ident: Ident) -> String {
    ident.name.to_string()
}

fn names(idents: &[Ident]) -> impl Iterator<Item = String> {
    idents.iter().copied().map(name)
}

fn exprs(exprs: &[Expr]) -> impl Iterator<Item = String> {
    exprs.iter().map(expr)
}

fn declaration(OpDecl { name: ident, arity }: &OpDecl) -> String {
    if *arity == 0 { name(*ident) } else { node("operator_declaration", [name(*ident), arity.to_string()]) }
}

fn unit(unit: &Unit) -> String {
    match unit {
        Unit::Constants(declared) => node("constant_declaration", declared.iter().map(declaration)),
        Unit::Variables(declared) => node("variable_declaration", names(declared)),
        Unit::Recursive(declared) => node("recursive_declaration", declared.iter().map(declaration)),
        Unit::Definition(definition) => local(definition.local, self::definition(definition)),
        Unit::Instance { local: is_local, instance } => local(*is_local, self::instance(instance)),
        Unit::Assume { name: ident, expr: assumed, .. } => {
            node("assumption", ident.iter().copied().map(name).chain([expr(assumed)]))
        }
        Unit::Theorem { name: ident, .. } => node("theorem", ident.iter().copied().map(name)),
        Unit::Module(inner) => module(inner).concat(),
    }
}

fn local(is_local: bool, line: String) -> String {
    if is_local { node("local_definition", [line]) } else { line }
}

fn definition(Definition { name: ident, params, body, .. }: &Definition) -> String {
    let head = [name(*ident)].into_iter().chain(params.iter().map(declaration));
    match body {
        Body::Operator(value) => node("operator_definition", head.chain([expr(value)])),
        Body::Function { bounds, value } => {
            node("function_definition", head.chain(bounds.iter().map(bound)).chain([expr(value)]))
        }
        Body::Instance(value) => node("module_definition", head.chain([instance(value)])),
    }
}

fn instance(Instance { module, substitutions, .. }: &Instance) -> String {
    let substitution = |(ident, value): &(Ident, Expr)| node("substitution", [name(*ident), expr(value)]);
    node("instance", [name(*module)].into_iter().chain(substitutions.iter().map(substitution)))
}

fn bound(Bound { pattern, set }: &Bound) -> String {
    node("quantifier_bound", self::pattern(pattern).into_iter().chain([expr(set)]))
}

fn pattern(pattern: &Pattern) -> Vec<String> {
    match pattern {
        Pattern::Names(idents) => names(idents).collect(),
        Pattern::Tuple(idents) => vec![node("tuple_of_identifiers", names(idents))],
    }
}

fn prefixed(path: &[Selector], last: String) -> String {
    if path.is_empty() {
        return last;
    }
    let component = |Selector { name: ident, args }: &Selector| match args.is_empty() {
        true => name(*ident),
        false => node("bound_op", [name(*ident)].into_iter().chain(exprs(args))),
    };
    node("prefixed_op", path.iter().map(component).chain([last]))
}

fn application(path: &[Selector], op: Ident, args: &[Expr]) -> String {
    let fixity = by_spelling(op.name.as_str()).filter(|_| path.is_empty()).map(|operator| operator.fixity);
    match (fixity, args) {
        (Some(Fixity::Prefix), [operand]) => node("bound_prefix_op", [name(op), expr(operand)]),
        (Some(Fixity::Postfix), [operand]) => node("bound_postfix_op", [expr(operand), name(op)]),
        (Some(Fixity::Infix), [first, rest @ ..]) => {
            rest.iter().fold(expr(first), |left, right| node("bound_infix_op", [left, name(op), expr(right)]))
        }
        _ => prefixed(path, node("bound_op", [name(op)].into_iter().chain(exprs(args)))),
    }
}

fn fields(kind: &str, fields: &[(Ident, Expr)]) -> String {
    node(kind, fields.iter().flat_map(|(ident, value)| [name(*ident), expr(value)]))
}

fn update(Update { path, value, .. }: &Update) -> String {
    let step = |step: &Step| match step {
        Step::Field(field) => node("except_update_record_field", [name(*field)]),
        Step::Index(args) => node("except_update_fn_appl", exprs(args)),
    };
    node("except_update", [node("except_update_specifier", path.iter().map(step)), expr(value)])
}

fn expr(expression: &Expr) -> String {
    match &*expression.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Decimal(text) => text.to_string(),
        ExprKind::Str(_) => expression.to_string(),
        ExprKind::At => "@".to_owned(),
        ExprKind::Name { path, name: ident } => prefixed(path, name(*ident)),
        ExprKind::Apply { path, op, args } => application(path, *op, args),
        ExprKind::Parens(inner) => node("parentheses", [expr(inner)]),
        ExprKind::Junction { conjunction: true, items } => node("conj_list", exprs(items)),
        ExprKind::Junction { conjunction: false, items } => node("disj_list", exprs(items)),
        ExprKind::Index { function, args } => {
            node("function_evaluation", [expr(function)].into_iter().chain(exprs(args)))
        }
        ExprKind::Field { record, field } => node("record_value", [expr(record), name(*field)]),
        ExprKind::Tuple(items) => node("tuple_literal", exprs(items)),
        ExprKind::SetEnum(items) => node("finite_set_literal", exprs(items)),
        ExprKind::SetFilter { bound: generator, condition } => node("set_filter", [bound(generator), expr(condition)]),
        ExprKind::SetMap { value, bounds } => {
            node("set_map", [expr(value)].into_iter().chain(bounds.iter().map(bound)))
        }
        ExprKind::Function { bounds, value } => node("function_literal", bounds.iter().map(bound).chain([expr(value)])),
        ExprKind::FunctionSet { domain, range } => node("set_of_functions", [expr(domain), expr(range)]),
        ExprKind::Record(all) => fields("record_literal", all),
        ExprKind::RecordSet(all) => fields("set_of_records", all),
        ExprKind::Except { function, updates } => {
            node("except", [expr(function)].into_iter().chain(updates.iter().map(update)))
        }
        ExprKind::Stuttering { stutters: true, action, subscript } => {
            node("step_expr_or_stutter", [expr(action), expr(subscript)])
        }
        ExprKind::Stuttering { stutters: false, action, subscript } => {
            node("step_expr_no_stutter", [expr(action), expr(subscript)])
        }
        ExprKind::Fairness { strong, subscript, action } => {
            let word = if *strong { "SF_" } else { "WF_" };
            node("fairness", [word.to_owned(), expr(subscript), expr(action)])
        }
        ExprKind::Lambda { params, body } => node("lambda", params.iter().map(declaration).chain([expr(body)])),
        ExprKind::Quantifier { universal, bounds, body } => {
            let word = if *universal { "\\A" } else { "\\E" };
            node(
                "bounded_quantification",
                [word.to_owned()].into_iter().chain(bounds.iter().map(bound)).chain([expr(body)]),
            )
        }
        ExprKind::UnboundedQuantifier { quantifier, names: bound, body } => node(
            "unbounded_quantification",
            [quantifier.to_string()].into_iter().chain(names(bound)).chain([expr(body)]),
        ),
        ExprKind::Choose { pattern: chosen, set, body } => {
            node("choose", pattern(chosen).into_iter().chain(set.iter().map(expr)).chain([expr(body)]))
        }
        ExprKind::If { condition, then, otherwise } => node("if_then_else", [condition, then, otherwise].map(expr)),
        ExprKind::Case { arms, other } => {
            let arms = arms.iter().map(|(condition, value)| node("case_arm", [expr(condition), expr(value)]));
            node("case", arms.chain(other.iter().map(|value| node("other_arm", [expr(value)]))))
        }
        ExprKind::Let { units, body } => node("let_in", units.iter().map(unit).chain([expr(body)])),
        ExprKind::Label { name: ident, params, expr: labelled } => {
            node("label", [name(*ident)].into_iter().chain(names(params)).chain([expr(labelled)]))
        }
    }
}
