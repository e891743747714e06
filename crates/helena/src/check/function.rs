//! Functions and their prototypes.

use stubborn_base::Diagnostic;

use crate::ast::{self, Body};
use crate::check::{Checker, FunctionDef, Local, Space};
use crate::code::{Function, FunctionId, Node};
use crate::types::{INT, TypeId};

impl Checker<'_> {
    pub(super) fn function(&mut self, def: &ast::Function) {
        let params: Vec<TypeId> =
            def.params.iter().map(|param| self.type_named(&param.ty).unwrap_or(INT)).collect();
        for (i, param) in def.params.iter().enumerate() {
            if def.params[..i].iter().any(|p| p.name.name == param.name.name) {
                let message = format!("the parameter `{}` is declared twice", param.name.name);
                self.error("duplicate", param.name.span, message);
            }
        }
        let ty = self.type_named(&def.ty).unwrap_or(INT);
        let known = self.function_named(&def.name.name);
        let id = match known.filter(|id| !self.functions[id.0 as usize].is_defined) {
            Some(id) if !matches!(def.body, Body::Prototype) => {
                self.compare_prototype(def, id, &params, ty);
                id
            }
            _ => self.new_function(def, params.clone(), ty),
        };
        match &def.body {
            Body::Prototype => {}
            Body::Import => {
                self.functions[id.0 as usize].is_defined = true;
                let message = format!("functions of C, such as `{}`, are not supported", def.name.name);
                let diagnostic = Diagnostic::error("unsupported", def.name.span, message);
                self.report(diagnostic.help("write the function in Helena's own language"));
            }
            Body::Stmt(stmt) => {
                self.functions[id.0 as usize].is_defined = true;
                self.n_locals = 0;
                self.scope.clear();
                for (param, ty) in def.params.iter().zip(&params) {
                    let node = Node::Local(self.n_locals);
                    let name = param.name.name.clone();
                    self.scope.push(Local { name, ty: *ty, node, is_variable: true });
                    self.n_locals += 1;
                }
                let body = self.stmt(stmt, ty);
                self.scope.clear();
                let function = &mut self.context.functions[id.0 as usize];
                function.n_locals = self.n_locals as usize;
                function.body = body;
            }
        }
    }

    fn new_function(&mut self, def: &ast::Function, params: Vec<TypeId>, ty: TypeId) -> FunctionId {
        let id = self.functions.len();
        self.define(Space::Function, &def.name, id);
        self.functions.push(FunctionDef { name: def.name.clone(), is_defined: false });
        let name = def.name.name.clone();
        self.context.functions.push(Function { name, params, ty, n_locals: 0, body: None });
        FunctionId(id as u32)
    }

    fn compare_prototype(&mut self, def: &ast::Function, id: FunctionId, params: &[TypeId], ty: TypeId) {
        let function = &self.context.functions[id.0 as usize];
        if function.params != params || function.ty != ty {
            let message = format!("`{}` differs from its prototype", def.name.name);
            let diagnostic = Diagnostic::error("wrong-type", def.name.span, message);
            let prototype = self.functions[id.0 as usize].name.span;
            self.report(diagnostic.label(prototype, "the prototype"));
        }
    }
}
