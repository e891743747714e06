//! What a name means where it stands.

use hashbrown::HashSet;
use stubborn_base::outline::{Role, Word, WordClass};

use super::walk::{Free, Label, Mode, Walk};
use crate::table::Sym;
use crate::token::{Kind, temporal_word};

impl Walk<'_> {
    /// The name at `at`; where to go on.
    pub(super) fn name(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        let sym = token.sym;
        let structure = self.state.structure.take();
        if let Some((process, is_label)) = self.remote.remove(&at) {
            self.remote_name(at, process, is_label);
            return at + 1;
        }
        match self.kind_before(at) {
            Some(Kind::Goto) => self.jump(at),
            Some(Kind::Dot) => {
                if let Some(&field) = structure.and_then(|structure| self.fields.get(&(structure, sym))) {
                    self.draft.mention(token.span, field, self.role_at(at));
                    self.state.structure = self.draft.facts[field].structure;
                }
            }
            Some(Kind::Run) => match self.processes.get(&sym) {
                Some(&process) => {
                    self.draft.mention(token.span, process, Role::Call);
                    self.note_call(process, at);
                }
                None => self.plain_name(at),
            },
            _ if self.is_special(at) => {
                self.special.push(Word { span: token.span, class: WordClass::Keyword });
            }
            _ => match (self.state.decl, self.types.get(&sym).copied()) {
                (Some(decl), _) if self.state.naming => self.declare(at, decl),
                (_, Some(ty)) => {
                    self.draft.mention(token.span, ty, Role::Use);
                    if !self.state.types && self.kind(at + 1) == Some(Kind::Name) {
                        self.begin_structure(at, ty);
                    }
                }
                _ if self.calls_inline(at) || self.names_process(at) => {}
                _ if self.kind(at + 1) == Some(Kind::Colon)
                    && self.in_sequence()
                    && self.mode == Mode::Body
                    && self.state.decl.is_none() =>
                {
                    self.declare_label(at);
                }
                _ => self.plain_name(at),
            },
        }
        at + 1
    }

    /// A word that is an operator of formulas, or the `in` of a `for`.
    fn is_special(&self, at: usize) -> bool {
        let text = self.table.text(self.tokens[at]);
        (self.mode == Mode::Formula && temporal_word(text).is_some()) || (self.state.for_head && text == "in")
    }

    /// A variable, a constant, or nothing that is known.
    fn plain_name(&mut self, at: usize) {
        let token = self.tokens[at];
        let role = self.role_at(at);
        match self.scopes.lookup(token.sym) {
            Some(symbol) => {
                self.draft.mention(token.span, symbol, role);
                self.state.structure = self.draft.facts[symbol].structure;
            }
            None if role == Role::Jump => self.jump(at),
            None => self.unknown(at, role),
        }
    }

    fn unknown(&mut self, at: usize, role: Role) {
        let token = self.tokens[at];
        let free = Free { span: token.span, sym: token.sym, role, scope: self.scopes.number() };
        if let Some(inline) = self.inline() {
            self.free.entry(inline).or_default().push(free);
        }
        self.later.push(free);
    }

    /// The inline that is being walked.
    fn inline(&self) -> Option<usize> {
        self.container.filter(|container| self.parameters.contains_key(container))
    }

    fn jump(&mut self, at: usize) {
        let token = self.tokens[at];
        if let Some(parameter) = self.scopes.lookup(token.sym).filter(|&s| self.is_inline_parameter(s)) {
            return self.draft.mention(token.span, parameter, Role::Jump);
        }
        let Some(container) = self.container else { return };
        let scope = self.scopes.number();
        let free = Free { span: token.span, sym: token.sym, role: Role::Jump, scope };
        self.jumps.push((container, free));
        if let Some(inline) = self.inline() {
            self.free.entry(inline).or_default().push(free);
        }
    }

    /// Whether an inline is called at `at`: then it is noted.
    fn calls_inline(&mut self, at: usize) -> bool {
        let token = self.tokens[at];
        let Some(&inline) = self.inlines.get(&token.sym) else { return false };
        if self.kind(at + 1) != Some(Kind::LParen) {
            return false;
        }
        self.draft.mention(token.span, inline, Role::Call);
        self.note_call(inline, at);
        self.pending_call = Some((at + 1, inline));
        if let Some(caller) = self.container
            && self.called.insert((caller, inline))
        {
            self.callees.entry(caller).or_default().push(inline);
            self.look_into(caller, inline);
        }
        true
    }

    /// Reads the names of an inline's body that mean nothing there as those of its caller.
    fn look_into(&mut self, caller: usize, inline: usize) {
        let free = self.free.get(&inline).cloned().unwrap_or_default();
        let Some(budget) = self.budget.checked_sub(free.len()) else { return };
        self.budget = budget;
        let is_inline = self.parameters.contains_key(&caller);
        for name in free {
            if name.role == Role::Jump {
                if self.labels.contains_key(&(inline, name.sym)) {
                    continue;
                }
                self.jumps.push((caller, name));
            } else if let Some(symbol) = self.scopes.lookup(name.sym) {
                self.draft.mention(name.span, symbol, name.role);
                continue;
            }
            if is_inline {
                self.free.entry(caller).or_default().push(name);
            }
        }
    }

    /// Whether a process is named at `at`, as in `P@label` and `P:x`.
    fn names_process(&mut self, at: usize) -> bool {
        let token = self.tokens[at];
        let Some(&process) = self.processes.get(&token.sym) else { return false };
        let index_end = match self.kind(at + 1) {
            Some(Kind::LBracket) => self.pairs.partner(at + 1).map_or(at + 1, |close| close + 1),
            _ => at + 1,
        };
        match (self.kind(index_end), self.kind(index_end + 1)) {
            (Some(Kind::At), _) => {
                self.remote.insert(index_end + 1, (process, true));
            }
            (Some(Kind::Colon), Some(Kind::Name)) => {
                self.remote.insert(index_end + 1, (process, false));
            }
            _ if self.scopes.lookup(token.sym).is_some() => return false,
            _ => {}
        }
        self.draft.mention(token.span, process, Role::Use);
        true
    }

    /// A label or variable of another process; it may be declared further down.
    fn remote_name(&mut self, at: usize, process: usize, is_label: bool) {
        let token = self.tokens[at];
        let role = if is_label { Role::Use } else { Role::Read };
        self.jumps.push((process, Free { span: token.span, sym: token.sym, role, scope: None }));
    }

    /// What was not known where it stood: labels, and names that are declared further down.
    pub(super) fn resolve_rest(&mut self) {
        for (container, name) in std::mem::take(&mut self.jumps) {
            let symbol = match name.role {
                Role::Read => self.locals.get(&(container, name.sym)).copied(),
                _ => self.label(container, name.sym, name.scope),
            };
            if let Some(symbol) = symbol {
                self.draft.mention(name.span, symbol, name.role);
            }
        }
        let found: HashSet<_> = self.draft.mentions.iter().map(|m| m.span).collect();
        for name in std::mem::take(&mut self.later) {
            if !found.contains(&name.span)
                && let Some(symbol) = self.global(name.sym)
            {
                self.draft.mention(name.span, symbol, name.role);
            }
        }
    }

    /// What is known by that name everywhere.
    pub(super) fn global(&self, sym: Sym) -> Option<usize> {
        let maps = [&self.globals, &self.types, &self.processes, &self.inlines];
        maps.into_iter().find_map(|map| map.get(&sym)).copied()
    }

    /// The label of that name in a process, or in an inline it calls.
    fn label(&mut self, container: usize, sym: Sym, scope: Option<usize>) -> Option<usize> {
        if let Some(labels) = self.labels.get(&(container, sym)) {
            let same = labels.iter().rfind(|l| l.scope == scope);
            let is_around = |l: &&Label| l.scope.is_some_and(|outer| self.scopes.encloses(outer, scope));
            let label = same.or_else(|| labels.iter().find(is_around)).or(labels.last());
            return label.map(|l| l.symbol);
        }
        let mut seen = HashSet::new();
        let mut next = vec![container];
        while let Some(caller) = next.pop() {
            for &inline in self.callees.get(&caller).into_iter().flatten() {
                self.budget = self.budget.checked_sub(1)?;
                if let Some(label) = self.labels.get(&(inline, sym)).and_then(|labels| labels.last()) {
                    return Some(label.symbol);
                }
                if seen.insert(inline) {
                    next.push(inline);
                }
            }
        }
        None
    }
}
