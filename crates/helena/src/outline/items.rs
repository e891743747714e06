//! Mentions in definitions, and symbols inside of them.

use stubborn_base::Span;
use stubborn_base::outline::{Role, SymbolKind};

use crate::ast::{
    self, Arc, Body, Ident, Item, IterVar, Label, Ltl, PlacePartKind, Program, Range, Stmt, StmtKind,
    TransitionPartKind, TypeKind, VarDecl,
};
use crate::ast::{BlockItem, ExprKind};
use crate::outline::draft::{Draft, Space};

impl Draft<'_> {
    /// Adds what a file mentions.
    pub(super) fn items(&mut self, program: &Program) {
        for param in program.head.iter().flat_map(|head| &head.params) {
            self.expr(&param.value, Role::Read);
        }
        for item in &program.items {
            self.scope.clear();
            self.inside = None;
            self.item(item);
        }
    }

    pub(super) fn ty(&mut self, name: &Ident) {
        self.mention(Space::Type, name, Role::Use);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Type(def) => {
                self.node(def.span);
                self.type_kind(&def.kind);
            }
            Item::Constant(def) => {
                self.node(def.span);
                self.ty(&def.ty);
                def.value.iter().for_each(|value| self.expr(value, Role::Read));
            }
            Item::Function(def) => self.function(def),
            Item::Place(def) => {
                self.node(def.span);
                for part in &def.parts {
                    self.node(part.span);
                    match &part.kind {
                        PlacePartKind::Dom(types) => types.iter().for_each(|ty| self.ty(ty)),
                        PlacePartKind::Init(label) => self.label(label),
                        PlacePartKind::Capacity(expr) => self.expr(expr, Role::Read),
                        PlacePartKind::Type(_) | PlacePartKind::Error => {}
                    }
                }
            }
            Item::Transition(def) => self.transition(def),
            Item::Proposition(def) => {
                self.node(def.span);
                self.inside = self.find(Space::Proposition, &def.name.name).map(|symbol| (symbol, def.span));
                self.expr(&def.body, Role::Read);
            }
            Item::StateProperty(def) => {
                self.node(def.span);
                for clause in &def.clauses {
                    self.node(clause.span);
                    self.mention(Space::Proposition, &clause.what, Role::Read);
                }
            }
            Item::LtlProperty(def) => {
                self.node(def.span);
                self.formula(&def.formula);
            }
        }
    }

    fn type_kind(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Range(range) => self.range(range),
            TypeKind::Mod(expr) => self.expr(expr, Role::Read),
            TypeKind::Enum(_) => {}
            TypeKind::Vector(indices, element) => {
                indices.iter().chain([element]).for_each(|ty| self.ty(ty));
            }
            TypeKind::Struct(fields) => fields.iter().for_each(|field| self.ty(&field.ty)),
            TypeKind::List(index, element, capacity) => {
                self.ty(index);
                self.ty(element);
                self.expr(capacity, Role::Read);
            }
            TypeKind::Set(element, capacity) => {
                self.ty(element);
                self.expr(capacity, Role::Read);
            }
            TypeKind::Subtype(parent, range) => {
                self.ty(parent);
                range.iter().for_each(|range| self.range(range));
            }
        }
    }

    pub(super) fn range(&mut self, range: &Range) {
        self.expr(&range.low, Role::Read);
        self.expr(&range.high, Role::Read);
    }

    fn formula(&mut self, formula: &Ltl) {
        match formula {
            Ltl::Atom(name) => self.mention(Space::Proposition, name, Role::Read),
            Ltl::Not(f) | Ltl::Always(f) | Ltl::Eventually(f) => self.formula(f),
            Ltl::And(fs) | Ltl::Or(fs) | Ltl::Implies(fs) | Ltl::Equivalent(fs) | Ltl::Until(fs) => {
                fs.iter().for_each(|f| self.formula(f));
            }
        }
    }

    fn function(&mut self, def: &ast::Function) {
        self.node(def.span);
        self.ty(&def.ty);
        self.inside = self.find(Space::Function, &def.name.name).map(|symbol| (symbol, def.span));
        for param in &def.params {
            self.ty(&param.ty);
            let span = param.ty.span.join(param.name.span);
            let detail = self.one_line(span);
            self.variable(&param.name, SymbolKind::Parameter, span, detail);
        }
        if let Body::Stmt(stmt) = &def.body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.node(stmt.span);
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                self.expr(target, Role::Write);
                self.expr(value, Role::Read);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition, Role::Read);
                self.stmt(then);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::Case(expr, alternatives) => {
                self.expr(expr, Role::Read);
                for alternative in alternatives {
                    alternative.value.iter().for_each(|value| self.expr(value, Role::Read));
                    self.stmt(&alternative.body);
                }
            }
            StmtKind::While(condition, body) => {
                self.expr(condition, Role::Read);
                self.stmt(body);
            }
            StmtKind::For(vars, body) => {
                let in_scope = self.scope.len();
                vars.iter().for_each(|var| self.bound(var, stmt.span));
                self.stmt(body);
                self.scope.truncate(in_scope);
            }
            StmtKind::Return(expr) | StmtKind::Assert(expr) => self.expr(expr, Role::Read),
            StmtKind::Block(items) => {
                let in_scope = self.scope.len();
                for item in items {
                    match item {
                        BlockItem::Decl(decl) => self.decl(decl, stmt.span),
                        BlockItem::Stmt(stmt) => self.stmt(stmt),
                    }
                }
                self.scope.truncate(in_scope);
            }
            StmtKind::Error => {}
        }
    }

    /// A variable of a block, or of `let`, that can be used in `scope`.
    fn decl(&mut self, decl: &VarDecl, scope: Span) {
        self.node(decl.span);
        self.ty(&decl.ty);
        decl.value.iter().for_each(|value| self.expr(value, Role::Read));
        let kind = if decl.is_const { SymbolKind::Constant } else { SymbolKind::Variable };
        let detail = self.one_line(decl.span);
        self.scoped(scope, |draft| {
            draft.variable(&decl.name, kind, decl.span, detail);
        });
    }

    /// Does something where names can be used in `scope` only.
    fn scoped(&mut self, scope: Span, f: impl FnOnce(&mut Self)) {
        let outer = self.inside;
        self.inside = outer.map(|(container, _)| (container, scope));
        f(self);
        self.inside = outer;
    }

    /// `x in domain`, which can be used in `scope`.
    pub(super) fn bound(&mut self, var: &IterVar, scope: Span) {
        self.domain(var);
        let detail = self.one_line(var.span);
        self.scoped(scope, |draft| {
            draft.variable(&var.name, SymbolKind::Parameter, var.span, detail);
        });
    }

    fn domain(&mut self, var: &IterVar) {
        self.node(var.span);
        match &var.domain.kind {
            ExprKind::Name(name) => {
                let ident = Ident { name: name.clone(), span: var.domain.span };
                if self.find(Space::Type, name).is_some() {
                    self.ty(&ident);
                } else if self.find(Space::Place, name).is_some() && self.local(name).is_none() {
                    self.mention(Space::Place, &ident, Role::Read);
                } else {
                    self.expr(&var.domain, Role::Read);
                }
            }
            _ => self.expr(&var.domain, Role::Read),
        }
        var.range.iter().for_each(|range| self.range(range));
    }

    fn label(&mut self, label: &Label) {
        for tuple in &label.tuples {
            self.node(tuple.span);
            let in_scope = self.scope.len();
            tuple.vars.iter().for_each(|var| self.bound(var, tuple.span));
            let parts = tuple.guard.iter().chain(&tuple.factor).chain(&tuple.components);
            parts.for_each(|expr| self.expr(expr, Role::Read));
            self.scope.truncate(in_scope);
        }
    }

    fn transition(&mut self, def: &ast::Transition) {
        self.node(def.span);
        self.inside = self.find(Space::Transition, &def.name.name).map(|symbol| (symbol, def.span));
        let arcs_in = def.parts.iter().filter_map(|part| match &part.kind {
            TransitionPartKind::In(arcs) => Some(arcs),
            _ => None,
        });
        arcs_in.flatten().for_each(|arc| self.arc_variables(arc));
        for part in &def.parts {
            match &part.kind {
                TransitionPartKind::Pick(vars) => vars.iter().for_each(|var| self.bound(var, def.span)),
                TransitionPartKind::Let(decls) => decls.iter().for_each(|decl| self.decl(decl, def.span)),
                _ => {}
            }
        }
        for part in &def.parts {
            self.node(part.span);
            match &part.kind {
                TransitionPartKind::In(arcs) | TransitionPartKind::Out(arcs) => {
                    self.arcs(arcs, Role::ReadWrite);
                }
                TransitionPartKind::Inhibit(arcs) => self.arcs(arcs, Role::Read),
                TransitionPartKind::Guard(expr) | TransitionPartKind::Priority(expr) => {
                    self.expr(expr, Role::Read);
                }
                TransitionPartKind::Description(exprs) => {
                    exprs.iter().for_each(|expr| self.expr(expr, Role::Read));
                }
                _ => {}
            }
        }
    }

    /// Adds the variables that an input arc declares.
    fn arc_variables(&mut self, arc: &Arc) {
        let types = self.domains.get(&arc.place.name).cloned().unwrap_or_default();
        for tuple in &arc.label.tuples {
            for (i, component) in tuple.components.iter().enumerate() {
                let ExprKind::Name(name) = &component.kind else { continue };
                let is_known = self.local(name).is_some()
                    || tuple.vars.iter().any(|var| var.name.name == *name)
                    || self.find(Space::Constant, name).is_some()
                    || self.find(Space::EnumValue, name).is_some()
                    || matches!(&**name, "true" | "false");
                if !is_known {
                    let ty = types.get(i).map_or(String::new(), |ty| format!("{ty} "));
                    let ident = self.bare(name, component.span);
                    self.variable(&ident, SymbolKind::Parameter, component.span, format!("{ty}{name}"));
                }
            }
        }
    }

    fn arcs(&mut self, arcs: &[Arc], role: Role) {
        for arc in arcs {
            self.node(arc.span);
            self.mention(Space::Place, &arc.place, role);
            self.label(&arc.label);
        }
    }
}
