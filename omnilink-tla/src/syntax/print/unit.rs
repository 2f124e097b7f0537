//! Modules and their units as text.

use super::layout::Layout;
use crate::syntax::ast::{Body, Definition, Instance, Module, OpDecl, Unit};
use crate::syntax::operators::{Fixity, by_spelling};

impl Layout {
    pub(super) fn module(&mut self, module: &Module) {
        self.put("---- MODULE ");
        self.put(module.name.name.as_str());
        self.put(" ----");
        self.new_line(0);
        if !module.extends.is_empty() {
            self.put("EXTENDS ");
            self.idents(&module.extends);
            self.new_line(0);
        }
        for unit in &module.units {
            self.unit(unit);
            self.new_line(0);
        }
        self.put("====");
        self.new_line(0);
    }

    pub(super) fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Constants(names) => {
                self.put("CONSTANTS ");
                self.commas(names, Self::declaration);
            }
            Unit::Variables(names) => {
                self.put("VARIABLES ");
                self.idents(names);
            }
            Unit::Recursive(names) => {
                self.put("RECURSIVE ");
                self.commas(names, Self::declaration);
            }
            Unit::Definition(definition) => self.definition(definition),
            Unit::Instance { local, instance } => {
                self.put(if *local { "LOCAL " } else { "" });
                self.instance(instance);
            }
            Unit::Assume { name, expr, .. } => {
                self.put("ASSUME ");
                if let Some(name) = name {
                    self.put(name.name.as_str());
                    self.put(" == ");
                }
                self.expr(expr);
            }
            Unit::Theorem { name, statement, .. } => {
                self.put("THEOREM ");
                if let Some(name) = name {
                    self.put(name.name.as_str());
                    self.put(" == ");
                }
                match statement {
                    Some(statement) => self.expr(statement),
                    None => self.put("ASSUME TRUE PROVE TRUE"),
                }
            }
            Unit::Module(module) => self.module(module),
        }
    }

    fn definition(&mut self, Definition { local, name, params, body, .. }: &Definition) {
        self.put(if *local { "LOCAL " } else { "" });
        let symbol = name.name.as_str();
        match (by_spelling(symbol).map(|operator| operator.fixity), params.as_slice()) {
            (Some(Fixity::Prefix), [operand]) => self.parts([symbol, " ", operand.name.name.as_str()]),
            (Some(Fixity::Postfix), [operand]) => self.parts([operand.name.name.as_str(), " ", symbol]),
            (Some(Fixity::Infix), [left, right]) => {
                self.parts([left.name.name.as_str(), " ", symbol, " ", right.name.name.as_str()]);
            }
            _ => {
                self.put(symbol);
                if !params.is_empty() {
                    self.put("(");
                    self.commas(params, Self::declaration);
                    self.put(")");
                }
            }
        }
        if let Body::Function { bounds, .. } = body {
            self.put("[");
            self.bounds(bounds);
            self.put("]");
        }
        self.put(" == ");
        match body {
            Body::Operator(expr) | Body::Function { value: expr, .. } => self.expr(expr),
            Body::Instance(instance) => self.instance(instance),
        }
    }

    /// `x`, `F(_, _)`, `_ \prec _`, `-. _`, `_^+`
    pub(super) fn declaration(&mut self, OpDecl { name, arity }: &OpDecl) {
        let symbol = name.name.as_str();
        match by_spelling(symbol).map(|operator| operator.fixity) {
            Some(Fixity::Prefix) => self.parts([symbol, " _"]),
            Some(Fixity::Postfix) => self.parts(["_ ", symbol]),
            Some(Fixity::Infix) => self.parts(["_ ", symbol, " _"]),
            None => {
                self.put(symbol);
                if *arity > 0 {
                    self.put("(");
                    self.put(&vec!["_"; *arity].join(", "));
                    self.put(")");
                }
            }
        }
    }

    fn instance(&mut self, Instance { module, substitutions, .. }: &Instance) {
        self.put("INSTANCE ");
        self.put(module.name.as_str());
        if substitutions.is_empty() {
            return;
        }
        self.put(" WITH ");
        self.commas(substitutions, |layout, (name, value)| {
            layout.put(name.name.as_str());
            layout.put(" <- ");
            layout.expr(value);
        });
    }
}
