//! Forms that have a value of whatever type is wanted: conditions, definitions, applications, selections.

use super::{Generator, MOST, Type};

impl Generator<'_> {
    pub(super) fn general(&mut self, ty: &Type, depth: usize) -> String {
        match self.random.below(14) {
            0 => {
                let (test, a, b) = (self.boolean(depth), self.expression(ty, depth), self.expression(ty, depth));
                format!("(IF {test} THEN {a} ELSE {b})")
            }
            1 => {
                let (p, a, b) = (self.boolean(depth), self.expression(ty, depth), self.expression(ty, depth));
                format!("(CASE {p} -> {a} [] ~{p} -> {b})")
            }
            2 => {
                let (p, q) = (self.boolean(depth), self.boolean(depth));
                let (a, c) = (self.expression(ty, depth), self.expression(ty, depth));
                format!("(CASE {p} -> {a} [] {q} /\\ {p} -> {a} [] OTHER -> {c})")
            }
            3 => self.definition(ty, depth),
            4 => self.operator(ty, depth),
            5 => self.recursive_function(ty, depth),
            6 => self.recursive_operator(ty, depth),
            7 => self.higher_order(ty, depth),
            8 => self.application(ty, depth),
            9 => {
                let (x, chosen, others) =
                    (self.fresh(), self.expression(ty, depth), self.expression(&Type::set(ty, MOST), depth));
                format!("(CHOOSE {x} \\in {others} \\cup {{{chosen}}} : {x} = {chosen})")
            }
            10 => self.selection(ty, depth),
            12 => format!("Head(<<{}>> \\o {})", self.expression(ty, depth), self.expression(&Type::seq(ty, 2), depth)),
            11 => format!("TLCEval({})", self.expression(ty, depth)),
            _ => format!("RandomElement({{{}}})", self.expression(ty, depth)),
        }
    }

    fn definition(&mut self, ty: &Type, depth: usize) -> String {
        let (name, defined) = (self.fresh(), self.any_type(1));
        let value = self.expression(&defined, depth);
        let body = self.with(&name, &defined, |g| g.expression(ty, depth));
        format!("(LET {name} == {value} IN {body})")
    }

    fn operator(&mut self, ty: &Type, depth: usize) -> String {
        let (name, parameter, second) = (self.fresh(), self.fresh(), self.fresh());
        let (parameter_type, second_type) = (self.any_type(1), self.any_type(1));
        let argument = self.expression(&parameter_type, depth);
        let other = self.expression(&second_type, depth);
        let body =
            self.with(&parameter, &parameter_type, |g| g.with(&second, &second_type, |g| g.expression(ty, depth)));
        format!("(LET {name}({parameter}, {second}) == {body} IN {name}({argument}, {other}))")
    }

    fn recursive_function(&mut self, ty: &Type, depth: usize) -> String {
        let (f, n) = (self.fresh(), self.fresh());
        let base = self.expression(ty, depth.min(1));
        let step =
            self.with(&n, &Type::Int, |g| g.with(&format!("{f}[{n} - 1]"), ty, |g| g.expression(ty, depth.min(1))));
        let count = self.random.below(4);
        format!("(LET {f}[{n} \\in 0..3] == IF {n} = 0 THEN {base} ELSE {step} IN {f}[{count}])")
    }

    fn recursive_operator(&mut self, ty: &Type, depth: usize) -> String {
        let (operator, n) = (self.fresh(), self.fresh());
        let base = self.expression(ty, depth.min(1));
        let step = self
            .with(&n, &Type::Int, |g| g.with(&format!("{operator}({n} - 1)"), ty, |g| g.expression(ty, depth.min(1))));
        let count = self.random.below(4);
        let definition = format!("{operator}({n}) == IF {n} <= 0 THEN {base} ELSE {step}");
        format!("(LET RECURSIVE {operator}(_) {definition} IN {operator}({count}))")
    }

    fn higher_order(&mut self, ty: &Type, depth: usize) -> String {
        let (apply, op, argument, parameter) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let body = self.with(&parameter, ty, |g| g.expression(ty, depth));
        let value = self.expression(ty, depth);
        let twice = format!("{apply}({op}(_), {argument}) == {op}({op}({argument}))");
        format!("(LET {twice} IN {apply}(LAMBDA {parameter} : {body}, {value}))")
    }

    /// A function applied to an argument of its domain.
    fn application(&mut self, ty: &Type, depth: usize) -> String {
        let (f, k, key) = (self.fresh(), self.fresh(), self.scalar_type());
        let function = self.expression(&Type::function(&key, ty, MOST), depth);
        let (argument, otherwise) = (self.expression(&key, depth), self.expression(ty, depth));
        let definitions = format!("{f} == {function} {k} == {argument}");
        format!("(LET {definitions} IN IF {k} \\in DOMAIN {f} THEN {f}[{k}] ELSE {otherwise})")
    }

    /// A component of a tuple or record, or a function of two arguments.
    fn selection(&mut self, ty: &Type, depth: usize) -> String {
        let other = self.any_type(1);
        match self.random.below(4) {
            0 => format!("{}[2]", self.expression(&Type::Tuple(vec![other, ty.clone()]), depth)),
            1 => format!("{}.kind", self.expression(&Type::Record(vec![("a", other), ("kind", ty.clone())]), depth)),
            2 => format!("{}[\"a\"]", self.expression(&Type::Record(vec![("a", ty.clone()), ("b", other)]), depth)),
            _ => {
                let (x, y) = (self.fresh(), self.fresh());
                let body = self.with(&x, &Type::Int, |g| g.with(&y, &Type::Bool, |g| g.expression(ty, depth)));
                format!("[{x} \\in 1..2, {y} \\in BOOLEAN |-> {body}][2, {}]", self.boolean(depth))
            }
        }
    }
}
