//! Forms whose value is a set, a sequence, a tuple, a record, a function or a bag.

use super::{Generator, MOST, Type};

impl Generator<'_> {
    pub(super) fn set(&mut self, element: &Type, most: usize, depth: usize) -> String {
        let this = Type::set(element, most);
        if self.random.chance(40)
            && let Some(special) = self.special_set(element, most, depth)
        {
            return special;
        }
        match self.random.below(12) {
            0 | 1 => {
                let elements: Vec<String> = (0..self.size(most)).map(|_| self.expression(element, depth)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            2 => {
                let (half, union) = (Type::set(element, most / 2), *self.random.pick(&["\\cup", "\\union"]));
                format!("({} {union} {})", self.expression(&half, depth), self.expression(&half, depth))
            }
            3 => {
                let operator = *self.random.pick(&["\\cap", "\\intersect", "\\"]);
                format!("({} {operator} {})", self.expression(&this, depth), self.expression(&this, depth))
            }
            4 | 5 => {
                let (x, from) = (self.fresh(), self.expression(&this, depth));
                let test = self.with(&x, element, |g| g.boolean(depth));
                format!("{{{x} \\in {from} : {test}}}")
            }
            6 | 7 => {
                let (x, source) = (self.fresh(), self.any_type(1));
                let from = self.expression(&Type::set(&source, most), depth);
                let image = self.with(&x, &source, |g| g.expression(element, depth));
                format!("{{{image} : {x} \\in {from}}}")
            }
            8 => {
                let (x, y, first, second) = (self.fresh(), self.fresh(), self.any_type(1), self.scalar_type());
                let one = self.expression(&Type::set(&first, most / 2), depth);
                let two = self.expression(&Type::set(&second, 2), depth);
                let image = self.with(&x, &first, |g| g.with(&y, &second, |g| g.expression(element, depth)));
                format!("{{{image} : {x} \\in {one}, {y} \\in {two}}}")
            }
            9 => {
                let (a, b) = (self.expression(&this, depth), self.expression(&this, depth));
                format!("(UNION {{{a}, {b} \\cap {a}}})")
            }
            10 => {
                let (i, s) = (self.fresh(), self.fresh());
                let sequence = self.expression(&Type::seq(element, most), depth);
                format!("(LET {s} == {sequence} IN {{{s}[{i}] : {i} \\in DOMAIN {s}}})")
            }
            _ => match self.random.below(3) {
                0 => format!("BagToSet({})", self.expression(&Type::Bag(Box::new(element.clone()), most), depth)),
                1 => {
                    let value = self.scalar_type();
                    format!("(DOMAIN {})", self.expression(&Type::function(element, &value, most), depth))
                }
                _ => {
                    let (f, k, key) = (self.fresh(), self.fresh(), self.scalar_type());
                    let function = self.expression(&Type::function(&key, element, most), depth);
                    format!("(LET {f} == {function} IN {{{f}[{k}] : {k} \\in DOMAIN {f}}})")
                }
            },
        }
    }

    /// A set that only some elements have: intervals, powersets, products, sets of functions and of records.
    fn special_set(&mut self, element: &Type, most: usize, depth: usize) -> Option<String> {
        let made = match element {
            Type::Int => {
                let width = most.min(MOST);
                let low = self.expression(&Type::Int, depth);
                let low_name = self.fresh();
                format!("(LET {low_name} == {low} IN {low_name} .. ({low_name} + {}))", width as i64 - 2)
            }
            Type::Bool if most >= 2 => "BOOLEAN".to_owned(),
            Type::Set(inner, size) if most >= 4 => {
                let size = (*size).min(most.ilog2() as usize);
                format!("(SUBSET {})", self.expression(&Type::set(inner, size), depth))
            }
            Type::Tuple(parts) => {
                let each = if most >= 1 << parts.len() { 2 } else { 1 };
                let factors: Vec<String> =
                    parts.iter().map(|part| self.expression(&Type::set(part, each), depth)).collect();
                let product = format!("({})", factors.join(" \\X "));
                let [first, second] = &parts[..] else { return Some(product) };
                if self.random.chance(50) {
                    return Some(product);
                }
                let (x, y) = (self.fresh(), self.fresh());
                let test = self.with(&x, first, |g| g.with(&y, second, |g| g.boolean(depth)));
                format!("{{<<{x}, {y}>> \\in {product} : {test}}}")
            }
            Type::Record(fields) => {
                let each = if most >= 1 << fields.len() { 2 } else { 1 };
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, ty)| format!("{field} : {}", self.expression(&Type::set(ty, each), depth)))
                    .collect();
                format!("[{}]", fields.join(", "))
            }
            Type::Function(key, value, size) => {
                if key == value && most >= 2 && self.random.chance(30) {
                    return Some(format!("Permutations({})", self.expression(&Type::set(key, (*size).min(2)), depth)));
                }
                let keys = (*size).min(2);
                let values = if most >= 4 { 2 } else { 1 };
                let (keys, values) =
                    (self.expression(&Type::set(key, keys), depth), self.expression(&Type::set(value, values), depth));
                format!("[{keys} -> {values}]")
            }
            Type::Bag(inner, size) if most >= 4 => {
                format!("SubBag(SetToBag({}))", self.expression(&Type::set(inner, (*size).min(2)), depth))
            }
            _ => return None,
        };
        Some(made)
    }

    pub(super) fn sequence(&mut self, element: &Type, most: usize, depth: usize) -> String {
        let this = Type::seq(element, most);
        match self.random.below(10) {
            0 | 1 => {
                let elements: Vec<String> = (0..self.size(most)).map(|_| self.expression(element, depth)).collect();
                format!("<<{}>>", elements.join(", "))
            }
            2 if most > 0 => {
                let shorter = self.expression(&Type::seq(element, most - 1), depth);
                format!("Append({shorter}, {})", self.expression(element, depth))
            }
            3 => {
                let (half, operator) = (Type::seq(element, most / 2), *self.random.pick(&["\\o", "\\circ"]));
                format!("({} {operator} {})", self.expression(&half, depth), self.expression(&half, depth))
            }
            4 => format!("Tail(<<{}>> \\o {})", self.expression(element, depth), self.expression(&this, depth)),
            5 => {
                let (s, from) = (self.fresh(), self.random.below(3) + 1);
                format!("(LET {s} == {} IN SubSeq({s}, {from}, Len({s})))", self.expression(&this, depth))
            }
            6 => {
                let (x, from) = (self.fresh(), self.expression(&this, depth));
                let test = self.with(&x, element, |g| g.boolean(depth));
                format!("SelectSeq({from}, LAMBDA {x} : {test})")
            }
            7 => {
                let (i, length) = (self.fresh(), self.size(most));
                let value = self.with(&i, &Type::Int, |g| g.expression(element, depth));
                format!("[{i} \\in 1..{length} |-> {value}]")
            }
            8 if *element == Type::Int => {
                let (a, b, from) = (self.fresh(), self.fresh(), self.expression(&this, depth));
                let order = [format!("LAMBDA {a}, {b} : {a} > {b}"), "<".to_owned(), ">".to_owned()];
                format!("SortSeq({from}, {})", self.random.pick(&order))
            }
            _ => {
                let (s, i) = (self.fresh(), self.fresh());
                let from = self.expression(&this, depth);
                format!("(LET {s} == {from} IN [{i} \\in DOMAIN {s} |-> {s}[Len({s}) + 1 - {i}]])")
            }
        }
    }

    pub(super) fn tuple(&mut self, parts: &[Type], depth: usize) -> String {
        let written: Vec<String> = parts.iter().map(|part| self.expression(part, depth)).collect();
        let written = format!("<<{}>>", written.join(", "));
        if self.random.chance(60) {
            return written;
        }
        let at = self.random.below(parts.len());
        if let Type::Tuple(inner) = &parts[at] {
            let within = self.random.below(inner.len());
            let value = self.with("@", &inner[within], |g| g.literal_or_known(&inner[within]));
            return format!("[{written} EXCEPT ![{}][{}] = {value}]", at + 1, within + 1);
        }
        let value = self.with("@", &parts[at], |g| g.literal_or_known(&parts[at]));
        format!("[{written} EXCEPT ![{}] = {value}]", at + 1)
    }

    pub(super) fn record(&mut self, fields: &[(&'static str, Type)], depth: usize) -> String {
        let written: Vec<String> =
            fields.iter().map(|(field, ty)| format!("{field} |-> {}", self.expression(ty, depth))).collect();
        let written = format!("[{}]", written.join(", "));
        let (field, ty) = self.random.pick(fields).clone();
        match self.random.below(5) {
            0 => {
                let (old, new) = (self.with("@", &ty, |g| g.literal_or_known(&ty)), self.literal(&ty));
                format!("[{written} EXCEPT !.{field} = {old}, ![\"{field}\"] = {new}]")
            }
            1 => format!("([{field} |-> {}] @@ {written})", self.expression(&ty, depth)),
            _ => written,
        }
    }

    pub(super) fn function(&mut self, key: &Type, value: &Type, most: usize, depth: usize) -> String {
        let this = Type::function(key, value, most);
        let x = self.fresh();
        match self.random.below(8) {
            0..=2 => {
                let domain = self.expression(&Type::set(key, most), depth);
                let body = self.with(&x, key, |g| g.expression(value, depth));
                format!("[{x} \\in {domain} |-> {body}]")
            }
            3 => {
                let (from, at) = (self.expression(&this, depth), self.expression(key, depth));
                let new = self.with("@", value, |g| g.literal_or_known(value));
                // TLC leaves a function as it is when the key is not in its domain, but warns; so does this.
                let f = self.fresh();
                format!("(LET {f} == {from} IN IF {at} \\in DOMAIN {f} THEN [{f} EXCEPT ![{at}] = {new}] ELSE {f})")
            }
            4 if most >= 2 => {
                let half = Type::function(key, value, most / 2);
                format!("({} @@ {})", self.expression(&half, depth), self.expression(&half, depth))
            }
            5 if most >= 1 => format!("({} :> {})", self.expression(key, depth), self.expression(value, depth)),
            6 => {
                // The domain has a name, because TLC's parser does not take a LET within such a definition's bound.
                let (f, d, domain) = (self.fresh(), self.fresh(), self.expression(&Type::set(key, most), depth));
                let body = self.with(&x, key, |g| g.expression(value, depth));
                format!("(LET {d} == {domain} {f}[{x} \\in {d}] == {body} IN {f})")
            }
            _ => {
                let (f, from) = (self.fresh(), self.expression(&this, depth));
                let without = self.expression(key, depth);
                format!("(LET {f} == {from} IN [{x} \\in DOMAIN {f} \\ {{{without}}} |-> {f}[{x}]])")
            }
        }
    }

    pub(super) fn bag(&mut self, element: &Type, most: usize, depth: usize) -> String {
        let this = Type::Bag(Box::new(element.clone()), most);
        let half = Type::Bag(Box::new(element.clone()), most / 2);
        match self.random.below(6) {
            0 => "EmptyBag".to_owned(),
            1 => format!("SetToBag({})", self.expression(&Type::set(element, most), depth)),
            2 => format!("({} (+) {})", self.expression(&half, depth), self.expression(&half, depth)),
            3 => format!("({} (-) {})", self.expression(&this, depth), self.expression(&this, depth)),
            4 => format!("BagUnion({{{}, {}}})", self.expression(&half, depth), self.expression(&half, depth)),
            _ => {
                let (x, domain) = (self.fresh(), self.expression(&Type::set(element, most), depth));
                let count = self.expression(&Type::Int, depth);
                format!("[{x} \\in {domain} |-> 1 + ({count} % 3)]")
            }
        }
    }

    /// For the new value in an EXCEPT, where `@` is in scope: nothing that would bind `@` again.
    fn literal_or_known(&mut self, ty: &Type) -> String {
        match self.known(ty) {
            Some(known) if self.random.chance(60) => known,
            _ => self.literal(ty),
        }
    }
}
