//! Processes and their transitions: the blocks of a text, read clause by clause.

use stubborn_base::{Diagnostic, Edit};

use crate::ast::{Clause, Declaration, Ident, Part, Process, Transition};
use crate::builder::Builder;
use crate::expect::describe;
use crate::parser::{Parser, Tokens, grammar};
use crate::token::Kind;

impl Parser<'_> {
    /// A process, which begins here.
    pub(crate) fn process(&mut self) {
        let start = self.pieces.at;
        let head = self.pieces.head();
        let parse =
            |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::ProcessHeadParser::new().parse(b, tokens);
        let name = self.piece(head.clone(), parse);
        let is_open = self.pieces.eat(Kind::LBrace);
        if name.is_none() || !is_open {
            self.lose(head);
        }
        if !is_open {
            if name.is_some() {
                self.error(self.pieces.at, "expected `{`");
            }
            return;
        }
        let is_known = name.is_some();
        let nowhere = self.span_of(start..start + 1);
        let mut process = Process {
            name: name.unwrap_or(Ident { name: "".into(), span: nowhere }),
            declarations: Vec::new(),
            states: Vec::new(),
            init: Vec::new(),
            commit: Vec::new(),
            accept: Vec::new(),
            assertions: Vec::new(),
            transitions: Vec::new(),
            lost_states: false,
            span: nowhere,
        };
        self.body(&mut process, start);
        process.span = self.span_of(start..self.pieces.at);
        if is_known {
            self.program.processes.push(process);
        }
    }

    /// Up to the brace that ends the process.
    fn body(&mut self, process: &mut Process, start: usize) {
        loop {
            match self.pieces.peek() {
                Some(Kind::RBrace) => {
                    self.pieces.at += 1;
                    return;
                }
                None | Some(Kind::Process | Kind::System) => {
                    let tokens = &self.pieces.tokens;
                    let found = tokens.get(self.pieces.at).copied();
                    let message = format!("expected `}}` before {}", describe(found, self.builder.text));
                    let last = tokens[self.pieces.at - 1];
                    let after = self.builder.span(last.end, last.end);
                    let span = found.map_or(after, |found| self.span(found));
                    let diagnostic = Diagnostic::error("syntax", span, message)
                        .label(self.span_of(start..start + 2), "this process is not closed")
                        .fix("Insert `}`", vec![Edit { span: after, text: "\n}".to_owned() }]);
                    self.diagnostics.push(diagnostic);
                    return;
                }
                Some(Kind::Const | Kind::Byte | Kind::Int | Kind::Channel) => {
                    let declaration = self.declaration();
                    self.keep_local(process, declaration);
                }
                Some(Kind::State | Kind::Init | Kind::Commit | Kind::Accept | Kind::Assert) => {
                    self.part(process)
                }
                Some(Kind::Trans) => {
                    self.pieces.at += 1;
                    self.transitions(process);
                }
                Some(Kind::Name | Kind::Arrow) if !process.transitions.is_empty() => {
                    self.error(self.pieces.at, "expected `}`");
                    if let Some(diagnostic) = self.diagnostics.last_mut() {
                        let help = "the `;` before ends the list of transitions: they are separated by `,`";
                        diagnostic.help = Some(help.to_owned());
                    }
                    self.transitions(process);
                }
                Some(_) => {
                    process.lost_states = true;
                    self.unexpected("expected `state`, `init`, `trans` or a declaration");
                }
            }
        }
    }

    fn keep_local(&mut self, process: &mut Process, declaration: Option<Declaration>) {
        if let Some(Declaration::Channels(channels)) = &declaration {
            let message = "channels are declared outside of processes";
            let diagnostic = Diagnostic::error("local-channel", channels.span, message);
            self.diagnostics.push(diagnostic.help("move the declaration before the first process"));
        }
        process.declarations.extend(declaration);
    }

    fn part(&mut self, process: &mut Process) {
        let is_state = self.pieces.peek() == Some(Kind::State);
        let piece = self.pieces.piece();
        let range = piece.range.clone();
        let parse = |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::PartParser::new().parse(b, tokens);
        match self.closed(piece, parse) {
            Some(Part::States(names)) => process.states.extend(names),
            Some(Part::Init(names)) => process.init.extend(names),
            Some(Part::Commit(names)) => process.commit.extend(names),
            Some(Part::Accept(names)) => process.accept.extend(names),
            Some(Part::Assert(assertions)) => process.assertions.extend(assertions),
            Some(Part::AcceptOther(kind)) => {
                let message = format!("acceptance by `{}` is not supported", kind.name);
                let diagnostic = Diagnostic::error("not-supported", kind.span, message);
                self.diagnostics
                    .push(diagnostic.help("list the states of a Büchi automaton: `accept q1, q2;`"));
            }
            None => {
                process.lost_states |= is_state;
                self.lose(range);
            }
        }
    }

    /// The list of transitions, up to its `;`.
    fn transitions(&mut self, process: &mut Process) {
        loop {
            match self.pieces.peek() {
                Some(Kind::Name | Kind::Arrow) => process.transitions.extend(self.transition()),
                Some(Kind::Comma) => self.pieces.at += 1,
                Some(Kind::Semi) => {
                    self.pieces.at += 1;
                    return;
                }
                Some(Kind::LBrace) => {
                    self.error(self.pieces.at, "expected a transition");
                    self.pieces.skip_block();
                }
                _ => return,
            }
        }
    }

    fn transition(&mut self) -> Option<Transition> {
        let start = self.pieces.at;
        let head = self.pieces.head();
        let wide = self.pieces.tokens[head.clone()].iter().find(|token| token.kind == Kind::WideArrow);
        if let Some(&wide) = wide {
            let message = "probabilistic transitions are not supported";
            let diagnostic = Diagnostic::error("not-supported", self.span(wide), message);
            self.diagnostics.push(diagnostic.help("write one transition with `->` for each target"));
            self.pieces.skip_block();
            return None;
        }
        let parse =
            |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::TransitionHeadParser::new().parse(b, tokens);
        let names = self.piece(head, parse);
        if !self.pieces.eat(Kind::LBrace) {
            if names.is_some() {
                self.error(self.pieces.at, "expected `{`");
            }
            return None;
        }
        let span = self.span_of(start..self.pieces.at);
        let nowhere = Ident { name: "".into(), span };
        let (from, to) = names.clone().unwrap_or((None, nowhere));
        let mut transition =
            Transition { from, to, guards: Vec::new(), sync: None, effects: Vec::new(), span };
        self.clauses(&mut transition, start);
        transition.span = self.span_of(start..self.pieces.at);
        names.map(|_| transition)
    }

    /// Up to the brace that ends the transition.
    fn clauses(&mut self, transition: &mut Transition, start: usize) {
        let mut last = 0;
        loop {
            match self.pieces.peek() {
                Some(Kind::RBrace) => {
                    self.pieces.at += 1;
                    return;
                }
                Some(kind @ (Kind::Guard | Kind::Sync | Kind::Effect)) => {
                    let order = [Kind::Guard, Kind::Sync, Kind::Effect].iter().position(|&k| k == kind);
                    let order = order.map_or(0, |at| at + 1);
                    if order <= last {
                        let span = self.span(self.pieces.tokens[self.pieces.at]);
                        let message = "this clause stands in the wrong place, or twice";
                        let diagnostic = Diagnostic::error("clause-order", span, message);
                        self.diagnostics.push(
                            diagnostic.help("a transition has `guard`, `sync` and `effect`, in this order"),
                        );
                    }
                    last = last.max(order);
                    self.clause(transition);
                }
                Some(Kind::Const | Kind::Byte | Kind::Int | Kind::Channel | Kind::Process | Kind::System)
                | Some(Kind::State | Kind::Init | Kind::Commit | Kind::Accept | Kind::Assert | Kind::Trans)
                | None => return self.open_transition(start),
                Some(_) if self.pieces.begins_transition() => return self.open_transition(start),
                Some(_) => self.unexpected("expected `guard`, `sync`, `effect` or `}`"),
            }
        }
    }

    fn open_transition(&mut self, start: usize) {
        self.error(self.pieces.at, "expected `}`");
        let head = self.span_of(start..start + 1);
        if let Some(diagnostic) = self.diagnostics.pop() {
            self.diagnostics.push(diagnostic.label(head, "the transition that begins here is not closed"));
        }
    }

    fn clause(&mut self, transition: &mut Transition) {
        let piece = self.pieces.piece();
        let parse = |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::ClauseParser::new().parse(b, tokens);
        match self.closed(piece, parse) {
            Some(Clause::Guard(guards)) => transition.guards.extend(guards),
            Some(Clause::Sync(sync)) => transition.sync = Some(sync),
            Some(Clause::Effect(effects)) => transition.effects.extend(effects),
            None => {}
        }
    }
}
