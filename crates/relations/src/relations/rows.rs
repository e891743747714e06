//! Rows: which statements do not accord with one, left-accord with it, may meet it, are sticky or visible.

use stubborn_base::Idx;
use stubborn_ir::{
    BinaryOp, ChanTest, Expr, Layout, Location, LocationId, ProcessTypeId, TransitionId, UnaryOp,
};

use super::enabling::may_make_true;
use super::grounded::Grounded;
use super::{Incarnation, LANE, Relations, StatementId};
use crate::access::{Cell, Test};
use crate::bits::{self, Row};
use crate::direction::Over;
use crate::fault::Fault;
use crate::index::{Candidates, Index};
use crate::ranges::Ranges;
use crate::scope::{Scope, Subject};
use crate::statement::Statement;

/// A statement that others are compared with.
pub(super) struct Compared<'a, 'm> {
    statement: StatementId,
    own: &'a Grounded<'m>,
    /// Its process.
    pub(super) inc: &'a Incarnation<'m>,
    transition: TransitionId,
    from: LocationId,
    /// Its process does not stay where it is.
    moves: bool,
}

impl<'m> Relations<'m> {
    /// Statements that may take part in a rendezvous with this one.
    pub fn partners(&self, statement: StatementId) -> &Over<Row> {
        self.grounded(statement).partners.get_or_init(|| self.kept(self.compute_partners(statement)))
    }

    fn compute_partners(&self, statement: StatementId) -> Box<[u64]> {
        let (own, _) = self.decode(statement);
        let own = self.incarnations[own].instance;
        let Some(comm) = &self.statement(statement).comm else { return self.empty_row() };
        let meets = |other: &Statement| {
            other.comm.as_ref().is_some_and(|other| {
                other.may_meet && other.is_send != comm.is_send && comm.may_share_channel(other)
            })
        };
        if !comm.may_meet {
            return self.empty_row();
        }
        self.row_among(Index::meeting, |_, inc, g| {
            inc.is_none_or(|inc| inc.instance != own) && meets(&g.statement)
        })
    }

    pub(crate) fn empty_row(&self) -> Box<[u64]> {
        self.has_rows.set(true);
        vec![0; self.n_words()].into()
    }

    /// A row of the statements that `wanted` maps to something, and of creations for
    /// statements of processes that do not exist yet.
    pub(crate) fn row_of(
        &self,
        wanted: impl Fn(StatementId, Option<&Incarnation<'m>>, &Statement) -> Option<StatementId>,
    ) -> Box<[u64]> {
        self.row_among(|_| Candidates::All, |id, inc, g| wanted(id, inc, &g.statement).is_some())
    }

    /// The same, where all that are wanted are among the candidates that each of the indices names.
    pub(super) fn row_among(
        &self,
        candidates: impl for<'a> Fn(&'a Index) -> Candidates<'a>,
        wanted: impl Fn(StatementId, Option<&Incarnation<'m>>, &Grounded<'m>) -> bool,
    ) -> Box<[u64]> {
        let mut row = self.empty_row();
        let mut n_compared = 0;
        // More is safe, and nobody looks at it any more.
        let is_over = self.is_over();
        let mut look_at = |id, inc: Option<&Incarnation<'m>>, g: &Grounded<'m>| {
            if !bits::contains(&row, id) {
                n_compared += 1;
                if is_over || wanted(id, inc, g) {
                    bits::insert(&mut row, id);
                }
            }
            bits::contains(&row, id)
        };
        self.each_future_among(candidates(&self.future_index), |creation, g| look_at(creation, None, g));
        self.each_among(candidates(&self.index), |id, inc, g| {
            look_at(id, Some(inc), g);
            false
        });
        self.n_compared.update(|n| n + n_compared as u64);
        self.effort.spend(n_compared, 0);
        row
    }

    /// Looks at candidates among the statements of processes that do not exist yet, each by its creation. What is looked
    /// at says whether that is enough of its type.
    fn each_future_among(
        &self,
        candidates: Candidates<'_>,
        mut look_at: impl FnMut(StatementId, &Grounded<'m>) -> bool,
    ) {
        match candidates {
            Candidates::All => {
                for (process, future) in self.future.iter_enumerated() {
                    let creation = self.creation(process);
                    let _is_enough = future.iter().flatten().any(|g| look_at(creation, g));
                }
            }
            Candidates::These(lists) => {
                for ids in lists {
                    let mut next = 0;
                    for &id in ids {
                        if id < next {
                            continue;
                        }
                        let process = self.model.transitions[TransitionId(id)].process;
                        let first = self.control[process].first.0;
                        let statements = self.future(process);
                        if look_at(self.creation(process), &statements[(id - first) as usize]) {
                            next = first + statements.len() as u32;
                        }
                    }
                }
            }
        }
    }

    /// Looks at candidates, other than creations. What is looked at says whether that is enough of its process.
    pub(super) fn each_among(
        &self,
        candidates: Candidates<'_>,
        mut look_at: impl FnMut(StatementId, &Incarnation<'m>, &Grounded<'m>) -> bool,
    ) {
        match candidates {
            Candidates::All => {
                for inc in self.incarnations.iter() {
                    let _is_enough = (inc.base..).zip(&inc.statements).any(|(id, g)| look_at(id, inc, g));
                }
            }
            Candidates::These(lists) => {
                for ids in lists {
                    // Statements of a process stand together.
                    let mut next = 0;
                    for &id in ids {
                        if id < next {
                            continue;
                        }
                        let inc = self.by_lane[id as usize / LANE].expect("not a pseudo statement");
                        let inc = &self.incarnations[inc];
                        if look_at(id, inc, &inc.statements[(id - inc.base) as usize]) {
                            next = inc.base + inc.statements.len() as StatementId;
                        }
                    }
                }
            }
        }
    }

    /// Do-not-accord (Definition 8): the statements of which it is not certain that they
    /// commute with this one and neither prevents the other, wherever both are possible.
    /// More than that is safe.
    #[inline]
    pub fn conflicts(&self, statement: StatementId) -> &Over<Row> {
        self.grounded(statement)
            .conflicts
            .get_or_init(|| self.kept(self.compute_conflicts(statement, self.grounded(statement))))
    }

    pub(super) fn compute_conflicts(&self, statement: StatementId, own: &Grounded<'m>) -> Box<[u64]> {
        let one = self.compared(statement, own);
        let conflicts = |id, other: Option<&Incarnation<'m>>, g: &Grounded<'m>| match other {
            Some(other) => self.conflict(&one, (id, other, g)),
            None => own.conflicts_with(g),
        };
        let mut row = self.row_among(|index| index.conflicting(own), conflicts);
        for id in self.alternatives(statement) {
            if self.conflict(&one, (id, one.inc, self.grounded(id))) {
                bits::insert(&mut row, id);
            }
        }
        self.partners(statement).add_to(&mut row);
        if self.fault == Some(Fault::DropConflict) {
            self.drop_one(&mut row, statement);
        }
        row
    }

    /// A statement as it is compared with others.
    #[inline]
    pub(super) fn compared<'a>(&'a self, statement: StatementId, own: &'a Grounded<'m>) -> Compared<'a, 'm> {
        let (inc, transition) = self.decode(statement);
        let inc = &self.incarnations[inc];
        let from = self.model.transitions[transition].from;
        let moves = !self.model.processes[inc.process].is_stationary;
        Compared { statement, own, inc, transition, from, moves }
    }

    /// Whether it is not certain that a statement accords with another one of a process that exists, rendezvous apart.
    #[inline]
    pub(super) fn conflict(
        &self,
        one: &Compared<'_, 'm>,
        (id, other, g): (StatementId, &Incarnation<'m>, &Grounded<'m>),
    ) -> bool {
        if other.instance == one.inc.instance && one.moves {
            // One process is at one location at a time.
            let t = TransitionId::new(other.first.index() + (id - other.base) as usize);
            return other.base == one.inc.base
                && id != one.statement
                && g.from == one.from
                && !self.exclude(one.transition, t)
                && !one.own.never_with(g);
        }
        id != one.statement && one.own.conflicts_with(g)
    }

    /// The statements of the same process that leave the same location; none of a process that never moves.
    pub(super) fn alternatives(&self, statement: StatementId) -> impl Iterator<Item = StatementId> {
        let (inc, transition) = self.decode(statement);
        let first = self.incarnations[inc].base;
        let row = (!self.is_stationary(statement))
            .then(|| self.at(inc, self.model.transitions[transition].from).iter());
        row.into_iter().flatten().map(move |index| first + index)
    }

    /// Whether one of two transitions of a location inhibits the other.
    pub(crate) fn exclude(&self, a: TransitionId, b: TransitionId) -> bool {
        let inhibits = |a: TransitionId, b: TransitionId| {
            // A rendezvous receive is inhibited only by what could receive the same.
            let t = &self.model.transitions[b];
            t.inhibitors.contains(&a) && t.comm.is_none()
        };
        inhibits(a, b) || inhibits(b, a)
    }

    /// Do-not-left-accord (Definition 8): the statements `t'` of which it is not certain
    /// that `t' t` can be replaced by `t t'`, `t` being this one. More is safe.
    #[inline]
    pub fn left_conflicts(&self, statement: StatementId) -> &Over<Row> {
        self.grounded(statement)
            .left_conflicts
            .get_or_init(|| self.kept(self.compute_left_conflicts(statement)))
    }

    fn compute_left_conflicts(&self, statement: StatementId) -> Box<[u64]> {
        let own = self.grounded(statement);
        let (inc, transition) = self.decode(statement);
        let t = &self.model.transitions[transition];
        let instance = self.incarnations[inc].instance;
        if own.statement.comm.as_ref().is_some_and(|comm| comm.may_meet) {
            let mut row = self.empty_row();
            self.conflicts(statement).add_to(&mut row);
            bits::union(&mut row, &self.entering(statement));
            bits::union(&mut row, &self.may_enable(statement));
            return row;
        }
        let mut row = self.may_enable(statement);
        self.conflicts(statement).add_to(&mut row);
        // What disables this one for certain is no threat: it does not come before it.
        for other in bits::iter(&row.clone()) {
            if self.created(other).is_some() {
                continue;
            }
            let (other_inc, other_transition) = self.decode(other);
            let u = &self.model.transitions[other_transition];
            let same_process =
                self.incarnations[other_inc].instance == instance && !self.is_stationary(statement);
            let leaves = same_process && u.from == t.from && u.to != Some(t.from);
            let g = self.grounded(other);
            let disables = || own.statement.tests.iter().flatten().any(|test| g.statement.disables(test));
            if !u.atomic && (leaves || (!same_process && disables())) {
                bits::remove(&mut row, other);
            }
        }
        bits::union(&mut row, &self.entering(statement));
        row
    }

    /// Statements after which the process may be where this one begins.
    fn entering(&self, statement: StatementId) -> Box<[u64]> {
        let (inc, transition) = self.decode(statement);
        let incarnation = &self.incarnations[inc];
        let mut row = self.empty_row();
        if self.is_stationary(statement) {
            return row;
        }
        let entering = self.control[incarnation.process].entering(self.model.transitions[transition].from);
        for index in entering.iter() {
            bits::insert(&mut row, incarnation.base + index);
        }
        self.with_drivers(row)
    }

    /// Statements at least one of which is executed on every cycle of states, as words; all
    /// the statements of the run they begin are looked at. More is safe.
    pub fn sticky(&self) -> Over<Row> {
        let mut row = self.empty_row();
        for (id, transition) in self.all_statements() {
            if self.is_sticky_transition(transition) {
                bits::insert(&mut row, id);
            }
        }
        self.add_drivers(&mut row);
        Over::row(row)
    }

    /// The statements that may change the value of a proposition, which is one of no
    /// process (T_v^nes). More is safe.
    pub fn visible(&self, layout: &Layout, proposition: &Expr) -> Over<Row> {
        match proposition {
            Expr::NonProgress => return self.changing_labels(|location| location.is_progress),
            Expr::Accepting => return self.changing_labels(|location| location.is_accept),
            _ if proposition.any(&mut |e| matches!(e, Expr::NonProgress | Expr::Accepting)) => {
                return Over::row(self.row_of(|id, _, _| Some(id)));
            }
            _ => {}
        }
        if let Some(row) = self.visible_by_sums(proposition) {
            return row;
        }
        // A proposition belongs to nobody: its subject is a process without a frame.
        let subject = Subject { process: ProcessTypeId(0), placed: None, fixed: None };
        let scope = Scope { fault: None, ..self.scope(layout, &subject) };
        let mut row = self.empty_row();
        let is_open = self.add_changing(&scope, proposition, true, &mut row);
        if is_open {
            // It looks at processes that may not exist yet, whatever they do.
            let future = self.future.iter_enumerated().filter(|(_, future)| future.is_some());
            future.for_each(|(process, _)| bits::insert(&mut row, self.creation(process)));
        }
        Over::row(self.with_drivers(row))
    }

    /// Adds the statements that may change the value of an expression, or its truth if that is all that is asked:
    /// those that may change one of its parts. Whether that depends on which processes there are.
    fn add_changing(&self, scope: &Scope<'_>, expr: &Expr, asks_truth: bool, row: &mut [u64]) -> bool {
        let (Some(test), is_open) = scope.test(expr) else { return false };
        let is_truth = asks_truth || is_truth_value(expr);
        let parts: Vec<(&Expr, bool)> = match (expr, &test) {
            (_, Test::Values(..) | Test::Level(..)) if is_truth => Vec::new(),
            (Expr::Unary(op, operand), _) => vec![(operand, *op == UnaryOp::Not)],
            (Expr::Binary(op, operands), _) => {
                let are_asked_for_truth = matches!(op, BinaryOp::And | BinaryOp::Or);
                operands.iter().map(|operand| (operand, are_asked_for_truth)).collect()
            }
            _ => Vec::new(),
        };
        if !parts.is_empty() {
            return parts
                .into_iter()
                .fold(false, |is_open, (part, truth)| self.add_changing(scope, part, truth, row) || is_open);
        }
        let found = match &test {
            Test::Values(cell, within) if is_truth => {
                let beyond = within.complement();
                let [enters, leaves] = [within, &beyond].map(|to| Test::Values(*cell, to.clone()));
                self.row_of(|id, inc, other| {
                    let may_be = |range| self.may_be_within(*cell, range, (id, inc, other), scope.layout);
                    let changes = (may_make_true(&enters, other) && may_be(&beyond))
                        || (may_make_true(&leaves, other) && may_be(within));
                    changes.then_some(id)
                })
            }
            _ => {
                let any_channel = matches!(test, Test::Other { any_channel: true, .. });
                let any = Test::Other { accesses: test.accesses().collect(), any_channel };
                self.row_of(|id, _, other| may_make_true(&any, other).then_some(id))
            }
        };
        row.iter_mut().zip(&found).for_each(|(word, more)| *word |= more);
        is_open
    }

    /// Whether a cell may be within a range where a statement can be executed, by the location it leaves and what it
    /// asks. More is safe.
    fn may_be_within(
        &self,
        cell: Cell,
        range: &Ranges,
        (id, inc, statement): (StatementId, Option<&Incarnation<'m>>, &Statement),
        layout: &Layout,
    ) -> bool {
        let is_elsewhere = inc.is_some_and(|inc| {
            let (_, transition) = self.decode(id);
            let leaves = i32::from(self.model.transitions[transition].from.0) + 1;
            layout.instance(inc.instance).location.offset == cell && !range.contains(leaves)
        });
        let excludes = |test: &Test| matches!(test, Test::Values(own, values) if *own == cell && values.is_disjoint(range));
        !is_elsewhere && !statement.tests.iter().flatten().any(excludes)
    }

    /// The statements that may change whether some process is at a location of a kind.
    fn changing_labels(&self, is_of_kind: impl Fn(&Location) -> bool) -> Over<Row> {
        let model = self.model;
        let at = |process: ProcessTypeId, location: LocationId| {
            is_of_kind(model.processes[process].location(location))
        };
        let changes = |id: TransitionId, statement: &Statement| {
            let t = &model.transitions[id];
            let arrives = t.to.is_some_and(|to| at(t.process, to));
            let mut spawned = statement.spawns.iter();
            at(t.process, t.from) != arrives || spawned.any(|&p| at(p, model.processes[p].start))
        };
        let mut row = self.empty_row();
        for (id, transition) in self.all_statements() {
            if changes(transition, self.statement(id)) {
                bits::insert(&mut row, id);
            }
        }
        for (process, future) in self.future.iter_enumerated() {
            let first = self.control[process].first.index();
            let mut statements = future.iter().flatten().enumerate();
            if statements.any(|(i, g)| changes(TransitionId::new(first + i), &g.statement)) {
                bits::insert(&mut row, self.creation(process));
            }
        }
        Over::row(self.with_drivers(row))
    }

    /// A planted fault: forgets the first statement of another process, or of a net the first other one.
    pub(super) fn drop_one(&self, row: &mut [u64], statement: StatementId) {
        let (own, _) = self.decode(statement);
        let is_net = self.is_stationary(statement);
        let is_other = |&id: &StatementId| {
            self.created(id).is_some() || self.decode(id).0 != own || (is_net && id != statement)
        };
        let other = bits::iter(row).find(is_other);
        if let Some(other) = other {
            bits::remove(row, other);
        }
    }
}

/// Whether the value of an expression is 0 or 1: to change it is to change whether it is true.
fn is_truth_value(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(op, _) => *op == UnaryOp::Not,
        Expr::Binary(op, _) => op.is_truth_value(),
        Expr::Chan(test, _) => *test != ChanTest::Len,
        Expr::At(..) | Expr::Poll(_) => true,
        _ => false,
    }
}
