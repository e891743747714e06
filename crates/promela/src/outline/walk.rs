//! The walk over the tokens: brackets, scopes, and what each token says about the names around it.
//!
//! Items are walked in order, formulas last. What is known of a statement is a [`State`]; brackets put one aside
//! and open another.

use hashbrown::{HashMap, HashSet};
use std::ops::Range;

use stubborn_base::outline::{Role, Word};
use stubborn_base::{Sources, Span};

use super::draft::Draft;
use super::pairs::Pairs;
use super::scopes::Scopes;
use crate::parser::Parsed;
use crate::repair::ends_line;
use crate::table::{Sym, Token, Tokens};
use crate::token::Kind;

pub(super) struct Walk<'a> {
    pub(super) parsed: &'a Parsed,
    pub(super) sources: &'a Sources,
    pub(super) tokens: &'a [Token],
    pub(super) table: &'a Tokens,
    pub(super) draft: Draft,
    pub(super) scopes: Scopes,
    pub(super) pairs: Pairs,
    /// Items, and what stands between them.
    ranges: Vec<Range<usize>>,
    levels: Vec<Level>,
    pub(super) state: State,
    pub(super) mode: Mode,
    /// The process, inline, type or property being walked.
    pub(super) container: Option<usize>,
    pub(super) globals: HashMap<Sym, usize>,
    pub(super) types: HashMap<Sym, usize>,
    pub(super) subtypes: HashMap<Sym, usize>,
    pub(super) processes: HashMap<Sym, usize>,
    pub(super) inlines: HashMap<Sym, usize>,
    /// By type.
    pub(super) fields: HashMap<(usize, Sym), usize>,
    /// By process or inline, the first of each name.
    pub(super) locals: HashMap<(usize, Sym), usize>,
    /// By process or inline.
    pub(super) labels: HashMap<(usize, Sym), Vec<Label>>,
    /// By inline.
    pub(super) parameters: HashMap<usize, Vec<usize>>,
    /// Inlines that a process or inline calls.
    pub(super) callees: HashMap<usize, Vec<usize>>,
    pub(super) called: HashSet<(usize, usize)>,
    /// Names in the body of an inline that mean nothing there.
    pub(super) free: HashMap<usize, Vec<Free>>,
    /// Names that were not known where they stand.
    pub(super) later: Vec<Free>,
    pub(super) jumps: Vec<(usize, Free)>,
    /// Names after `P@` and `P:`, by the number of their token: the process, and whether it is a label.
    pub(super) remote: HashMap<usize, (usize, bool)>,
    /// The call of an inline whose parenthesis comes next.
    pub(super) pending_call: Option<(usize, usize)>,
    /// Words whose class depends on where they stand.
    pub(super) special: Vec<Word>,
    /// Formulas without a name so far.
    pub(super) n_formulas: usize,
    /// `never` claims so far.
    pub(super) n_claims: usize,
    /// Steps that may still be spent on looking into inlines.
    pub(super) budget: usize,
}

/// A label, and the scope it stands in.
#[derive(Clone, Copy)]
pub(super) struct Label {
    pub(super) scope: Option<usize>,
    pub(super) symbol: usize,
}

/// A name that is not known, and what is done with it.
#[derive(Clone, Copy)]
pub(super) struct Free {
    pub(super) span: Span,
    pub(super) sym: Sym,
    pub(super) role: Role,
    pub(super) scope: Option<usize>,
}

/// What is being walked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Globals,
    Body,
    Fields,
    Formula,
}

/// What is known of the statement at hand.
#[derive(Clone, Copy, Default)]
pub(super) struct State {
    /// Declares variables of this type.
    pub(super) decl: Option<Decl>,
    /// The name of a variable comes next.
    pub(super) naming: bool,
    /// Where a declaration begins whose type is still to come.
    pub(super) first: Option<usize>,
    /// Fields of a receive: variables are set.
    pub(super) receiving: bool,
    /// After `xr` or `xs`.
    pub(super) exclusive: bool,
    /// The structure that the reference so far stands for.
    pub(super) structure: Option<usize>,
    /// The inline whose arguments these are, and the number of the argument.
    pub(super) call: Option<(usize, usize)>,
    /// Types of a message: nothing is declared.
    pub(super) types: bool,
    /// Parameters of a process.
    pub(super) params: bool,
    /// The head of a `for`.
    pub(super) for_head: bool,
}

/// A declaration: where it and its type stand.
#[derive(Clone, Copy)]
pub(super) struct Decl {
    pub(super) first: usize,
    pub(super) type_end: usize,
    pub(super) structure: Option<usize>,
    pub(super) is_chan: bool,
}

/// A bracket that is open.
struct Level {
    /// Where it closes.
    end: usize,
    opens_scope: bool,
    /// Ends of lines end statements.
    is_sequence: bool,
    outer: State,
}

impl<'a> Walk<'a> {
    pub(super) fn new(parsed: &'a Parsed, sources: &'a Sources) -> Self {
        let mut ranges = Vec::with_capacity(parsed.items.len());
        let mut end = 0;
        for item in &parsed.items {
            if item.start > end {
                ranges.push(end..item.start);
            }
            ranges.push(item.clone());
            end = item.end;
        }
        if end < parsed.tokens.len() {
            ranges.push(end..parsed.tokens.len());
        }
        Walk {
            parsed,
            sources,
            tokens: &parsed.tokens,
            table: &parsed.table,
            draft: Draft::default(),
            scopes: Scopes::default(),
            pairs: Pairs::new(&parsed.tokens, &ranges),
            ranges,
            levels: Vec::new(),
            state: State::default(),
            mode: Mode::Globals,
            container: None,
            globals: HashMap::new(),
            types: HashMap::new(),
            subtypes: HashMap::new(),
            processes: HashMap::new(),
            inlines: HashMap::new(),
            fields: HashMap::new(),
            locals: HashMap::new(),
            labels: HashMap::new(),
            parameters: HashMap::new(),
            callees: HashMap::new(),
            called: HashSet::new(),
            free: HashMap::new(),
            later: Vec::new(),
            jumps: Vec::new(),
            remote: HashMap::new(),
            pending_call: None,
            special: Vec::new(),
            n_formulas: 0,
            n_claims: 0,
            budget: 1_000_000,
        }
    }

    pub(super) fn run(&mut self) {
        let ranges = std::mem::take(&mut self.ranges);
        let heads: Vec<_> = ranges.iter().map(|range| self.head(range)).collect();
        for formulas in [false, true] {
            for (range, head) in ranges.iter().zip(&heads) {
                if (self.tokens[range.start].kind == Kind::Ltl) == formulas {
                    self.item(range, head);
                }
            }
        }
        self.resolve_rest();
    }

    /// Walks tokens, apart from the one at `skip`.
    pub(super) fn walk(&mut self, range: Range<usize>, skip: Option<usize>) {
        self.state = State::default();
        let mut at = range.start;
        while at < range.end {
            self.close_levels(at, false);
            if at > range.start && self.line_ends_before(at) {
                self.end_statement();
            }
            at = if Some(at) == skip { at + 1 } else { self.step(at, range.end) };
        }
        self.close_levels(range.end, true);
    }

    /// Takes in the token at `at`; where to go on.
    fn step(&mut self, at: usize, end: usize) -> usize {
        use Kind::*;
        let kind = self.tokens[at].kind;
        match kind {
            LBrace => self.open_brace(at, end),
            LParen | LBracket => self.open_bracket(at),
            Semi | Arrow | Sep | If | Fi | Do | Od | Unless | Else | Atomic | DStep | Break => {
                self.end_statement()
            }
            Comma => {
                self.state.naming = self.state.decl.is_some();
                self.state.structure = None;
                if let Some((_, argument)) = &mut self.state.call {
                    *argument += 1;
                }
            }
            Query | QueryQuery => {
                self.state.receiving = self.kind(at + 1) != Some(LBracket);
                self.state.structure = None;
            }
            Xr | Xs => self.state.exclusive = true,
            Hidden | Show | Local => self.state.first = Some(at),
            _ if kind.is_type() => return self.begin_declaration(at),
            Name => return self.name(at),
            Dot | RBracket => {}
            _ => self.state.structure = None,
        }
        at + 1
    }

    fn open_brace(&mut self, at: usize, end: usize) {
        let before = self.kind_before(at);
        let is_list =
            self.state.decl.is_some() || matches!(before, Some(Kind::Of | Kind::Assign | Kind::Mtype));
        if is_list {
            if let Some(close) = self.pairs.partner(at) {
                let types = before == Some(Kind::Of);
                self.open(close, false, false, State { types, ..State::default() });
            }
            return;
        }
        self.end_statement();
        let opens_scope = self.mode == Mode::Body;
        if opens_scope {
            self.scopes.open();
        }
        let close = self.pairs.partner(at).unwrap_or(end);
        self.open(close, opens_scope, self.mode != Mode::Formula, State::default());
    }

    fn open_bracket(&mut self, at: usize) {
        let Some(close) = self.pairs.partner(at) else { return };
        let mut state = State::default();
        if self.tokens[at].kind == Kind::LParen {
            let before = self.kind_before(at);
            state.receiving = self.state.receiving && before != Some(Kind::Eval);
            state.for_head = before == Some(Kind::For);
            let is_head = self.mode == Mode::Body && self.levels.is_empty();
            state.params = is_head && matches!(before, Some(Kind::Name | Kind::Proctype | Kind::DProctype));
            state.call = self.pending_call.take_if(|(open, _)| *open == at).map(|(_, inline)| (inline, 0));
        }
        self.open(close, false, false, state);
    }

    fn open(&mut self, end: usize, opens_scope: bool, is_sequence: bool, state: State) {
        let outer = std::mem::replace(&mut self.state, state);
        self.levels.push(Level { end, opens_scope, is_sequence, outer });
    }

    /// Closes the brackets that close at `at`, or all.
    fn close_levels(&mut self, at: usize, all: bool) {
        while let Some(level) = self.levels.pop_if(|level| all || level.end == at) {
            self.state = level.outer;
            if level.opens_scope {
                self.close_scope(level.end);
            }
        }
    }

    /// Closes the innermost scope, which reaches to the token at `end`.
    pub(super) fn close_scope(&mut self, end: usize) {
        for symbol in self.scopes.close() {
            let from = self.draft.facts[symbol].place;
            let text_end = self.sources.file(from.file).text().len() as u32;
            let to = match self.tokens.get(end).map(|&t| (t.kind, self.place(t))) {
                Some((kind, place)) if place.file == from.file && place.start >= from.start => {
                    if kind == Kind::RBrace { place.end } else { place.start }
                }
                _ => text_end,
            };
            self.draft.symbols[symbol].scope = Some(Span { end: to, ..from });
        }
    }

    fn end_statement(&mut self) {
        let State { call, types, params, for_head, .. } = self.state;
        self.state = State { call, types, params, for_head, ..State::default() };
    }

    /// Whether the end of the line before the token at `at` ends a statement.
    fn line_ends_before(&self, at: usize) -> bool {
        self.tokens[at].starts_line() && self.in_sequence() && ends_line(self.tokens[at - 1])
    }

    pub(super) fn in_sequence(&self) -> bool {
        self.levels.last().is_some_and(|level| level.is_sequence)
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|t| t.kind)
    }

    pub(super) fn kind_before(&self, at: usize) -> Option<Kind> {
        self.kind(at.checked_sub(1)?)
    }

    /// Where a token stands in the text of a file: what comes from a macro, where the macro is used.
    pub(super) fn place(&self, token: Token) -> Span {
        self.table.outermost_call(token).map_or(token.span, |call| call.call)
    }
}
