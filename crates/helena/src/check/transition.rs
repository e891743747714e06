//! Transitions.
//!
//! A name that stands alone as a component of a tuple of an input arc, and is no constant, is a variable of the
//! transition; it must stand so in a tuple without `if` at least once. `pick` and `let` declare further ones.

use stubborn_base::{Diagnostic, Span};
use stubborn_nets::VariableId;

use crate::ast::{self, Arc, Expr, ExprKind, Ident, IterVar, TransitionPartKind, VarDecl};
use crate::check::iterate::Allowed;
use crate::check::{ArcDef, Checker, Local, PriorityDef, Source, Space, TransitionDef, VariableDef};
use crate::code::{Node, Range};
use crate::types::{INT, TypeId};

/// The parts of a transition, each at most once.
#[derive(Default)]
struct Parts<'a> {
    inputs: Option<&'a [Arc]>,
    outputs: Option<&'a [Arc]>,
    inhibitors: Option<&'a [Arc]>,
    pick: &'a [IterVar],
    lets: &'a [VarDecl],
    guard: Option<&'a Expr>,
    priority: Option<&'a Expr>,
    description: &'a [Expr],
    is_lost: bool,
}

impl Checker<'_> {
    pub(super) fn transition(&mut self, def: &ast::Transition) {
        self.define(Space::Transition, &def.name, self.transitions.len());
        let parts = self.transition_parts(def);
        self.scope.clear();
        let mut variables = Vec::new();
        let is_known = self.arc_variables(parts.inputs.unwrap_or_default(), &mut variables);
        self.picked(parts.pick, &mut variables);
        let inputs = self.arcs(parts.inputs.unwrap_or_default(), "in");
        self.bound(parts.lets, &mut variables);
        let outputs = self.arcs(parts.outputs.unwrap_or_default(), "out");
        let inhibitors = self.arcs(parts.inhibitors.unwrap_or_default(), "inhibit");
        let guard = parts.guard.and_then(|guard| self.condition(guard));
        self.n_locals = 0;
        self.is_complex = true;
        let priority = parts.priority.and_then(|expr| {
            let node = self.expr(expr, INT)?;
            Some(PriorityDef { node, span: expr.span, n_locals: self.n_locals as usize })
        });
        self.is_complex = false;
        for expr in parts.description {
            self.described(expr);
        }
        self.scope.clear();
        if !is_known && parts.is_lost {
            return;
        }
        let name = def.name.clone();
        self.transitions.push(TransitionDef {
            name,
            variables,
            inputs,
            outputs,
            inhibitors,
            guard,
            priority,
        });
    }

    fn transition_parts<'b>(&mut self, def: &'b ast::Transition) -> Parts<'b> {
        let mut parts = Parts::default();
        let mut seen = [false; 9];
        let mut last = 0;
        let order = ["in", "out", "inhibit", "pick", "let", "guard", "priority", "safe", "description"];
        for part in &def.parts {
            let number = match &part.kind {
                TransitionPartKind::In(arcs) => {
                    parts.inputs = Some(arcs);
                    0
                }
                TransitionPartKind::Out(arcs) => {
                    parts.outputs = Some(arcs);
                    1
                }
                TransitionPartKind::Inhibit(arcs) => {
                    parts.inhibitors = Some(arcs);
                    2
                }
                TransitionPartKind::Pick(vars) => {
                    parts.pick = vars;
                    3
                }
                TransitionPartKind::Let(vars) => {
                    parts.lets = vars;
                    4
                }
                TransitionPartKind::Guard(expr) => {
                    parts.guard = Some(expr);
                    5
                }
                TransitionPartKind::Priority(expr) => {
                    parts.priority = Some(expr);
                    6
                }
                TransitionPartKind::Safe => 7,
                TransitionPartKind::Description(exprs) => {
                    parts.description = exprs;
                    8
                }
                TransitionPartKind::Error => {
                    parts.is_lost = true;
                    continue;
                }
            };
            self.once(&mut seen[number], order[number], part.span);
            // Guard, priority and the like can come in any order, but come last.
            let rank = number.min(5);
            if rank < last {
                self.misplaced_part(order[number], part.span);
            }
            last = last.max(rank);
        }
        for (number, word) in ["in", "out"].into_iter().enumerate() {
            if !seen[number] && !parts.is_lost {
                let message = format!("the transition `{}` has no `{word}`", def.name.name);
                let diagnostic = Diagnostic::error("missing-part", def.name.span, message);
                self.report(diagnostic.help(format!("`{word} {{ }}` where there are no arcs")));
            }
        }
        parts
    }

    fn misplaced_part(&mut self, word: &str, span: Span) {
        let diagnostic = Diagnostic::error("misplaced", span, format!("`{word}` stands too late"));
        let help = "the order is `in`, `out`, `inhibit`, `pick`, `let`, then `guard` and the like";
        self.report(diagnostic.help(help));
    }

    fn described(&mut self, expr: &Expr) {
        let Some(draft) = self.draft(expr) else { return };
        if !draft.types.iter().any(|ty| self.types().is_discrete(*ty)) {
            let message = "only values of discrete types can be shown in a description";
            self.error("wrong-type", expr.span, message);
        }
    }

    /// Adds a variable of the transition.
    fn variable(&mut self, variables: &mut Vec<VariableDef>, name: &Ident, ty: TypeId, source: Source) {
        if let Some(old) = variables.iter().find(|v| v.name.name == name.name) {
            let message = format!("the variable `{}` is declared twice", name.name);
            let diagnostic = Diagnostic::error("duplicate", name.span, message);
            let old = old.name.span;
            return self.report(diagnostic.label(old, "first declared here"));
        }
        let node = Node::Var(VariableId(variables.len() as u32));
        self.scope.push(Local { name: name.name.clone(), ty, node, is_variable: false });
        variables.push(VariableDef { name: name.clone(), ty, source });
    }

    /// Adds the variables of input arcs. Whether tokens determine all of them.
    fn arc_variables(&mut self, arcs: &[Arc], variables: &mut Vec<VariableDef>) -> bool {
        let mut is_determined = Vec::new();
        for arc in arcs {
            let Some(place) = self.find(Space::Place, &arc.place.name) else { continue };
            let domain = self.places[stubborn_nets::PlaceId(place as u32)].domain.clone();
            for tuple in arc.label.tuples.iter().filter(|t| t.components.len() == domain.len()) {
                for (expr, ty) in tuple.components.iter().zip(&domain) {
                    let ExprKind::Name(name) = &expr.kind else { continue };
                    let is_own = tuple.vars.iter().any(|var| var.name.name == *name);
                    let is_value =
                        self.find(Space::Constant, name).is_some() || self.enum_values.contains_key(name);
                    if is_own || is_value {
                        continue;
                    }
                    let known = variables.iter().position(|v| v.name.name == *name);
                    let i = known.unwrap_or_else(|| {
                        let name = Ident { name: name.clone(), span: expr.span };
                        self.variable(variables, &name, *ty, Source::Arc);
                        is_determined.push(false);
                        variables.len() - 1
                    });
                    is_determined[i] |= tuple.guard.is_none() && tuple.factor_is_positive();
                }
            }
        }
        for (variable, _) in variables.iter().zip(&is_determined).filter(|(_, known)| !**known) {
            let name = &variable.name;
            let message = format!("no token determines the variable `{}`", name.name);
            let diagnostic = Diagnostic::error("undetermined", name.span, message);
            let help = "it must stand alone in a tuple without `if` of an input arc, or be picked";
            self.report(diagnostic.help(help));
        }
        is_determined.into_iter().all(|known| known)
    }

    fn picked(&mut self, vars: &[IterVar], variables: &mut Vec<VariableDef>) {
        for var in vars {
            let (node, ty) = match self.domain(var, Allowed::Containers) {
                Some((Range::Each(node), ty)) => (node, ty),
                _ => (Node::Const(stubborn_nets::Value::seq([])), INT),
            };
            self.variable(variables, &var.name, ty, Source::Pick(node));
        }
    }

    fn bound(&mut self, lets: &[VarDecl], variables: &mut Vec<VariableDef>) {
        for def in lets {
            let ty = self.type_named(&def.ty);
            let node = match (&def.value, ty) {
                (Some(value), Some(ty)) => self.expr(value, ty),
                (Some(_), None) => None,
                (None, _) => {
                    let message = format!("the variable `{}` needs a value", def.name.name);
                    self.error("syntax", def.name.span, message);
                    None
                }
            };
            let node = node.unwrap_or(Node::Const(self.poison(ty.unwrap_or(INT))));
            self.variable(variables, &def.name, ty.unwrap_or(INT), Source::Let(node));
        }
    }

    fn arcs(&mut self, arcs: &[Arc], word: &str) -> Vec<ArcDef> {
        let mut found: Vec<ArcDef> = Vec::new();
        for arc in arcs {
            let Some(place) = self.place_named(&arc.place) else { continue };
            if found.iter().any(|other| other.place == place) {
                let message = format!("`{word}` has two arcs of the place `{}`", arc.place.name);
                let diagnostic = Diagnostic::error("duplicate", arc.place.span, message);
                self.report(diagnostic.help("write one arc with the sum of both"));
            }
            let tuples = self.tuples(place, &arc.label);
            found.push(ArcDef { place, tuples });
        }
        found
    }
}

impl ast::Tuple {
    /// Whether it surely stands for a token: a factor of 0 is written as such.
    fn factor_is_positive(&self) -> bool {
        !matches!(&self.factor, Some(Expr { kind: ExprKind::Number(Some(0)), .. }))
    }
}
