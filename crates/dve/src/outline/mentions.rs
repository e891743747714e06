//! Where symbols are mentioned, and what is done with them there.

use stubborn_base::outline::{Mention, Role};

use super::symbols::Symbols;
use crate::ast::{Declaration, Expr, ExprKind, Ident, Init, Process, Program, Transition};

/// All mentions, sorted by place.
pub(super) fn mentions(program: &Program, symbols: &Symbols) -> Vec<Mention> {
    let mut walk = Walk { symbols, process: None, found: Vec::new() };
    for (symbol, declared) in symbols.symbols.iter().enumerate() {
        walk.found.push(Mention { span: declared.name_span, symbol, role: Role::Declaration });
    }
    program.declarations.iter().for_each(|declaration| walk.declaration(declaration));
    for (index, process) in program.processes.iter().enumerate() {
        walk.process = Some(index);
        walk.process(process);
    }
    walk.process = None;
    if let Some(property) = program.system.as_ref().and_then(|system| system.property.as_ref()) {
        walk.mention(symbols.own(None, property), property, Role::Use);
    }
    walk.found.sort_by_key(|mention| mention.span);
    walk.found.dedup_by_key(|mention| mention.span);
    walk.found
}

struct Walk<'a> {
    symbols: &'a Symbols,
    /// Whose names are meant.
    process: Option<usize>,
    found: Vec<Mention>,
}

impl Walk<'_> {
    fn mention(&mut self, symbol: Option<usize>, name: &Ident, role: Role) {
        self.found.extend(symbol.map(|symbol| Mention { span: name.span, symbol, role }));
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Variables(variables) => {
                for variable in &variables.variables {
                    variable.size.iter().for_each(|size| self.expr(size));
                    match &variable.init {
                        Some(Init::Scalar(value)) => self.expr(value),
                        Some(Init::List(list, _)) => list.iter().for_each(|value| self.expr(value)),
                        None => {}
                    }
                }
            }
            Declaration::Channels(channels) => {
                channels.channels.iter().filter_map(|c| c.capacity.as_ref()).for_each(|size| self.expr(size));
            }
        }
    }

    fn process(&mut self, process: &Process) {
        process.declarations.iter().for_each(|declaration| self.declaration(declaration));
        let lists = [&process.init, &process.commit, &process.accept];
        for state in lists.into_iter().flatten() {
            self.state(state, Role::Use);
        }
        for assertion in &process.assertions {
            self.state(&assertion.state, Role::Use);
            self.expr(&assertion.condition);
        }
        process.transitions.iter().for_each(|transition| self.transition(transition));
    }

    fn state(&mut self, name: &Ident, role: Role) {
        self.mention(self.symbols.own(self.process, name), name, role);
    }

    fn transition(&mut self, transition: &Transition) {
        transition.from.iter().for_each(|from| self.state(from, Role::Use));
        self.state(&transition.to, Role::Jump);
        transition.guards.iter().for_each(|guard| self.expr(guard));
        if let Some(sync) = &transition.sync {
            let role = if sync.is_send { Role::Send } else { Role::Receive };
            self.mention(self.symbols.own(None, &sync.channel), &sync.channel, role);
            for value in &sync.values {
                if sync.is_send { self.expr(value) } else { self.target(value) }
            }
        }
        for effect in &transition.effects {
            self.target(&effect.target);
            self.expr(&effect.value);
        }
    }

    /// What is set.
    fn target(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(name, index) => {
                self.mention(self.symbols.find(self.process, name), name, Role::Write);
                index.iter().for_each(|index| self.expr(index));
            }
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(name, _) => {
                self.mention(self.symbols.find(self.process, name), name, Role::Read);
            }
            ExprKind::State(process, name) => self.other(process, name, Role::Use),
            ExprKind::Remote(process, name, _) => self.other(process, name, Role::Read),
            _ => {}
        }
        expr.operands().iter().for_each(|operand| self.expr(operand));
    }

    /// A name of another process.
    fn other(&mut self, process: &Ident, name: &Ident, role: Role) {
        let symbol = self.symbols.own(None, process);
        self.mention(symbol, process, Role::Use);
        let index = self.symbols.processes.iter().position(|own| Some(*own) == symbol);
        if let Some(index) = index {
            self.mention(self.symbols.own(Some(index), name), name, role);
        }
    }
}
