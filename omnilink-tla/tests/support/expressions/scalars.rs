//! Forms whose value is a number, a truth value or a string.

use super::{Generator, MOST, Type};

impl Generator<'_> {
    pub(super) fn integer(&mut self, depth: usize) -> String {
        let (a, b) = (self.expression(&Type::Int, depth), self.expression(&Type::Int, depth));
        match self.random.below(19) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("(({a} % 30) * ({b} % 30))"),
            4 => format!("({a} \\div (1 + ({b} % 5)))"),
            5 => format!("({a} % (1 + ({b} % 9)))"),
            6 => format!("(-{a})"),
            7 => format!("((1 + ({a} % 4)) ^ ({b} % 4))"),
            8 => {
                let set = self.any_set(depth);
                format!("Cardinality({set})")
            }
            9 => {
                let element = self.any_type(1);
                format!("Len({})", self.expression(&Type::seq(&element, MOST), depth))
            }
            10 => {
                let (s, x, y) = (self.fresh(), self.fresh(), self.fresh());
                let (order, set) =
                    (*self.random.pick(&["<=", ">="]), self.expression(&Type::set(&Type::Int, MOST), depth));
                format!("(LET {s} == {set} \\cup {{{a}}} IN CHOOSE {x} \\in {s} : \\A {y} \\in {s} : {x} {order} {y})")
            }
            11 => {
                let x = self.fresh();
                let set = self.expression(&Type::set(&Type::Int, MOST), depth);
                let test = self.with(&x, &Type::Int, |g| g.boolean(depth));
                format!("(CHOOSE {x} \\in {set} \\cup {{0, 3}} : {x} = 3 \\/ {test})")
            }
            12 => {
                let element = self.any_type(1);
                format!("BagCardinality({})", self.expression(&Type::Bag(Box::new(element), MOST), depth))
            }
            13 => {
                let element = self.any_type(1);
                let (x, bag) =
                    (self.expression(&element, depth), self.expression(&Type::Bag(Box::new(element), MOST), depth));
                format!("CopiesIn({x}, {bag})")
            }
            14 => self.sum(depth),
            15 => {
                let (c, d) = (self.literal(&Type::Int), self.literal(&Type::Int));
                let unparenthesised = [
                    format!("({a} + {c} * {d} - {b})"),
                    format!("(-{c} + {a})"),
                    format!("({a} - {c} - {d} - {b})"),
                    format!("(-{c} * {d} + {a} \\div 7)"),
                    format!("({a} - -{c} ^ 2)"),
                ];
                self.random.pick(&unparenthesised).clone()
            }
            16 => format!("Len({})", self.expression(&Type::Text, depth)),
            17 => {
                let (key, value) = (self.scalar_type(), self.scalar_type());
                format!("Cardinality(DOMAIN {})", self.expression(&Type::function(&key, &value, MOST), depth))
            }
            _ => {
                let digits = self.random.below(200);
                self.random
                    .pick(&[format!("\\b{digits:b}"), format!("\\o{digits:o}"), format!("\\h{digits:x}")])
                    .clone()
            }
        }
    }

    /// The sum of a set of numbers, which does not depend on the order of choices.
    fn sum(&mut self, depth: usize) -> String {
        let (sum, s, x) = (self.fresh(), self.fresh(), self.fresh());
        let set = self.expression(&Type::set(&Type::Int, MOST), depth);
        format!(
            "(LET RECURSIVE {sum}(_) {sum}({s}) == IF {s} = {{}} THEN 0 ELSE \
             LET {x} == CHOOSE {x}c \\in {s} : TRUE IN {x} + {sum}({s} \\ {{{x}}}) IN {sum}({set}))"
        )
    }

    pub(super) fn boolean(&mut self, depth: usize) -> String {
        match self.random.below(16) {
            0 => self.random.pick(&["TRUE", "FALSE"]).to_string(),
            1..=3 => {
                let operator = *self.random.pick(&["/\\", "\\/", "=>", "<=>", "\\equiv", "\\land", "\\lor"]);
                format!("({} {operator} {})", self.expression(&Type::Bool, depth), self.expression(&Type::Bool, depth))
            }
            4 => {
                let not = *self.random.pick(&["~", "\\lnot ", "\\neg "]);
                format!("({not}{})", self.expression(&Type::Bool, depth))
            }
            5 | 6 => {
                let operator = *self.random.pick(&["<", "<=", "=<", "\\leq", ">", ">=", "\\geq"]);
                format!("({} {operator} {})", self.expression(&Type::Int, depth), self.expression(&Type::Int, depth))
            }
            7 | 8 => {
                let (ty, operator) = (self.any_type(2), *self.random.pick(&["=", "#", "/="]));
                format!("({} {operator} {})", self.expression(&ty, depth), self.expression(&ty, depth))
            }
            9 => {
                let (ty, operator) = (self.any_type(1), *self.random.pick(&["\\in", "\\notin"]));
                format!(
                    "({} {operator} {})",
                    self.expression(&ty, depth),
                    self.expression(&Type::set(&ty, MOST), depth)
                )
            }
            10 => {
                let set = Type::set(&self.any_type(1), MOST);
                format!("({} \\subseteq {})", self.expression(&set, depth), self.expression(&set, depth))
            }
            11 => self.membership(depth),
            12 | 13 => self.quantified(depth),
            14 => format!("IsFiniteSet({})", self.any_set(depth)),
            _ => {
                let element = self.any_type(1);
                let bag = Type::Bag(Box::new(element.clone()), MOST);
                let (left, right) = (self.expression(&bag, depth), self.expression(&bag, depth));
                match self.random.below(3) {
                    0 => format!("({left} \\sqsubseteq {right})"),
                    1 => format!("BagIn({}, {left})", self.expression(&element, depth)),
                    _ => format!("IsABag({left})"),
                }
            }
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let quantifier = *self.random.pick(&["\\A", "\\E"]);
        let (x, y, first, second) = (self.fresh(), self.fresh(), self.any_type(1), self.any_type(1));
        let one = self.expression(&Type::set(&first, MOST), depth);
        let two = self.expression(&Type::set(&second, MOST), depth);
        let (binders, second) = match self.random.below(4) {
            0 => (format!("{x} \\in {one}, {y} \\in {two}"), second),
            1 => (format!("{x}, {y} \\in {one}"), first.clone()),
            2 => (format!("<<{x}, {y}>> \\in {one} \\X {two}"), second),
            _ => {
                let body = self.with(&x, &first, |g| g.boolean(depth));
                return format!("({quantifier} {x} \\in {one} : {body})");
            }
        };
        let body = self.with(&x, &first, |g| g.with(&y, &second, |g| g.boolean(depth)));
        format!("({quantifier} {binders} : {body})")
    }

    /// Membership in sets that are tested rather than enumerated.
    fn membership(&mut self, depth: usize) -> String {
        let (n, s) = (self.expression(&Type::Int, depth), self.expression(&Type::set(&Type::Int, MOST), depth));
        let sequence = self.expression(&Type::seq(&Type::Int, MOST), depth);
        match self.random.below(10) {
            0 => format!("({n} \\in Nat)"),
            1 => format!("({n} \\in Int)"),
            2 => format!("({sequence} \\in Seq({s}))"),
            3 => format!("({sequence} \\in Seq(Nat))"),
            4 => format!("({s} \\in SUBSET ({n} % 5 .. 9))"),
            5 => format!("({s} \\in SUBSET Nat)"),
            6 => format!("({} \\in STRING)", self.expression(&Type::Text, depth)),
            7 => {
                let function = self.expression(&Type::function(&Type::Int, &Type::Int, MOST), depth);
                format!("({function} \\in [{s} -> Int])")
            }
            8 => {
                let record = self.expression(&Type::Record(vec![("a", Type::Int), ("b", Type::Bool)]), depth);
                format!("({record} \\in [a : Nat, b : BOOLEAN])")
            }
            _ => {
                let pair = self.expression(&Type::Tuple(vec![Type::Int, Type::Text]), depth);
                format!("({pair} \\in {s} \\X STRING)")
            }
        }
    }

    pub(super) fn text(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("ToString({})", self.expression(&Type::Int, depth)),
            1 => format!("ToString({})", self.expression(&Type::Bool, depth)),
            2 => format!("({} \\o {})", self.expression(&Type::Text, depth), self.literal(&Type::Text)),
            _ => self.literal(&Type::Text),
        }
    }

    fn any_set(&mut self, depth: usize) -> String {
        let element = self.any_type(1);
        self.expression(&Type::set(&element, 2 * MOST), depth)
    }
}
