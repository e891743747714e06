//! Single relations, each with the direction in which it may err.
//!
//! For those who look at relations one by one: people, tests, heuristics. Reductions read the
//! rows of [`Relations`] themselves. Numbers of definitions are those of Laarman et al.

use smol_str::SmolStr;
use stubborn_ir::{Expr, Layout};

use crate::access::{Access, Cell, Level, Test};
use crate::bits::{self, Row};
use crate::direction::{Over, Under};
use crate::names::{Names, Reader};
use crate::relations::{Need, Relations, StatementId, may_make_true, writes_any};
use crate::statement::{Operation, Statement};

/// Asks for relations of the statements known so far.
#[derive(Debug)]
pub struct Query<'a, 'm> {
    relations: &'a Relations<'m>,
    layout: &'a Layout,
    names: Names<'a>,
}

impl<'a, 'm> Query<'a, 'm> {
    /// Of processes that are placed as `layout` says.
    pub fn new(relations: &'a Relations<'m>, layout: &'a Layout) -> Self {
        Query { relations, layout, names: Names::new(relations.model(), layout) }
    }

    pub(crate) fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// Whether there may be a state in which both are possible (Definition 7).
    pub fn may_be_co_enabled(&self, a: StatementId, b: StatementId) -> Over<bool> {
        let relations = self.relations;
        if relations.created(a).is_some() || relations.created(b).is_some() {
            return Over::new(true);
        }
        let (inc_a, t_a) = relations.decode(a);
        let (inc_b, t_b) = relations.decode(b);
        let (own, other) = (relations.incarnation(inc_a), relations.incarnation(inc_b));
        if own.instance == other.instance {
            // One process is at one location at a time, with one value of what is fixed.
            let from = |t| relations.model().transitions[t].from;
            if own.base != other.base || from(t_a) != from(t_b) || relations.exclude(t_a, t_b) {
                return Over::new(false);
            }
        }
        Over::new(a == b || !relations.grounded(a).never_with(relations.grounded(b)))
    }

    /// The statements that may not accord with this one (Definition 8).
    pub fn do_not_accord(&self, statement: StatementId) -> &'a Over<Row> {
        self.relations.conflicts(statement)
    }

    /// The statements that this one may not be moved before (Definition 8).
    pub fn do_not_left_accord(&self, statement: StatementId) -> &'a Over<Row> {
        self.relations.left_conflicts(statement)
    }

    /// The statements that are not possible after this one, wherever both were.
    pub fn must_disable(&self, statement: StatementId) -> Under<Row> {
        let relations = self.relations;
        let (inc, transition) = relations.decode(statement);
        let t = &relations.model().transitions[transition];
        let mut row = relations.empty_row();
        // After an atomic run everything may be as it was.
        if t.atomic {
            return Under::row(row);
        }
        let own = relations.statement(statement);
        for (id, other) in relations.all_statements() {
            let other_inc = relations.decode(id).0;
            let disables = if other_inc == inc && !relations.is_stationary(statement) {
                t.to != Some(t.from) && relations.model().transitions[other].from == t.from
            } else if other_inc != inc
                && relations.incarnation(other_inc).instance == relations.incarnation(inc).instance
            {
                false
            } else {
                let mut tests = relations.statement(id).tests.iter().flatten();
                tests.any(|test| own.disables(test))
            };
            if disables {
                bits::insert(&mut row, id);
            }
        }
        Under::row(row)
    }

    /// What has to be so for a statement to be possible where its process is.
    pub fn needs(&self, statement: StatementId) -> Vec<Need> {
        let own = self.relations.statement(statement);
        let (_, transition) = self.relations.decode(statement);
        let mut needs: Vec<Need> =
            (0..own.tests.len()).filter(|&i| own.tests[i].is_some()).map(Need::Guard).collect();
        if let Some(comm) = &own.comm {
            needs.push(Need::Level);
            if !comm.is_send {
                needs.push(Need::Match);
            }
        }
        if !self.relations.model().transitions[transition].inhibitors.is_empty() {
            needs.push(Need::Inhibitor);
        }
        needs
    }

    /// One of these statements is executed before what is needed can be so (Definition 9); for
    /// a rendezvous, besides that the other process comes.
    pub fn necessary_enabling_set(&self, statement: StatementId, need: Need) -> Over<Row> {
        if self.asks_timeout(statement, need) {
            return self.everything();
        }
        self.relations.necessary_enabling_set(statement, need).clone()
    }

    /// One of these statements is executed before what is needed can cease to be so.
    pub fn necessary_disabling_set(&self, statement: StatementId, need: Need) -> Over<Row> {
        if self.asks_timeout(statement, need) {
            return self.everything();
        }
        let changes = self.changes(statement, need, false);
        let mut row = self.relations.row_of(|id, _, other| changes(other).then_some(id));
        if need == Need::Level {
            self.add_departures(statement, &mut row);
        }
        Over::row(self.relations.with_drivers(row))
    }

    /// What keeps the partners of a rendezvous from taking part: they do something else.
    fn add_departures(&self, statement: StatementId, row: &mut [u64]) {
        for partner in self.relations.partners(statement).candidates() {
            bits::insert(row, partner);
            if self.relations.created(partner).is_some() {
                continue;
            }
            let (inc, transition) = self.relations.decode(partner);
            let from = self.relations.model().transitions[transition].from;
            let first = self.relations.incarnation(inc).base;
            for index in self.relations.at(inc, from).iter() {
                bits::insert(row, first + index);
            }
        }
    }

    fn asks_timeout(&self, statement: StatementId, need: Need) -> bool {
        let own = self.relations.statement(statement);
        matches!(need, Need::Guard(guard) if own.tests[guard] == Some(Test::Timeout))
    }

    fn everything(&self) -> Over<Row> {
        Over::row(self.relations.row_of(|id, _, _| Some(id)))
    }

    /// Whether a statement may change what is needed to be so, or not to be so.
    pub(crate) fn changes(
        &self,
        statement: StatementId,
        need: Need,
        to_be_so: bool,
    ) -> Box<dyn Fn(&Statement) -> bool + 'a> {
        let own = self.relations.statement(statement);
        match (need, &own.comm) {
            (Need::Guard(guard), _) => match &own.tests[guard] {
                Some(test) => {
                    let test = if to_be_so { test.clone() } else { negated(test) };
                    Box::new(move |other| may_make_true(&test, other))
                }
                None => Box::new(|_| false),
            },
            (Need::Level | Need::Match, Some(comm)) => {
                Box::new(move |other| changes_buffer(comm, need, to_be_so, other))
            }
            (Need::Level | Need::Match, None) => Box::new(|_| false),
            // Who could be the other one of a rendezvous is told by `partners`.
            (Need::Partner, _) => Box::new(|_| false),
            (Need::Inhibitor, _) => Box::new(move |other| {
                let any = own.any_channel && other.uses_channels || other.any_channel;
                own.reads_everything || any || writes_any(other, &own.inhibitors)
            }),
        }
    }

    /// The variables that the guards look at (Definition 6).
    pub fn test_set(&self, statement: StatementId) -> Over<Vec<SmolStr>> {
        let tests = self.relations.statement(statement).tests.iter().flatten();
        self.named(statement, tests.flat_map(Test::accesses).map(|(cell, _)| cell))
    }

    /// The variables that are read, by guards or otherwise; an increment does not read.
    pub fn read_set(&self, statement: StatementId) -> Over<Vec<SmolStr>> {
        let own = self.relations.statement(statement);
        let tests = own.tests.iter().flatten().flat_map(Test::accesses);
        let read = tests.chain(own.accesses.iter().copied()).filter(|(_, access)| !access.writes());
        self.named(statement, read.map(|(cell, _)| cell))
    }

    /// The variables that are changed.
    pub fn write_set(&self, statement: StatementId) -> Over<Vec<SmolStr>> {
        let own = self.relations.statement(statement);
        let written = own.accesses.iter().filter(|(_, access)| access.writes());
        self.named(statement, written.map(|&(cell, _)| cell))
    }

    /// Whether the statement is in a set that meets every cycle of states.
    pub fn is_sticky(&self, statement: StatementId) -> Over<bool> {
        Over::new(self.relations.sticky().may_contain(statement))
    }

    /// The statements that may change the value of a proposition (T_v).
    pub fn visible_to(&self, proposition: &Expr) -> Over<Row> {
        self.relations.visible(self.layout, proposition)
    }

    fn named(&self, statement: StatementId, cells: impl Iterator<Item = Cell>) -> Over<Vec<SmolStr>> {
        let (inc, _) = self.relations.decode(statement);
        let reader = Reader { instance: self.relations.incarnation(inc).instance, stands_for_others: false };
        let mut cells: Vec<Cell> = cells.collect();
        cells.sort_unstable();
        cells.dedup();
        Over::new(cells.into_iter().map(|cell| self.names.cell(cell, reader)).collect())
    }
}

/// Whether what is done to buffers can make a channel operation possible, or impossible.
fn changes_buffer(comm: &Operation, need: Need, to_be_so: bool, other: &Statement) -> bool {
    let changes = |access: Access| match (need, comm.is_send == to_be_so, access) {
        (_, _, Access::Write) => true,
        (Need::Level, true, access) => access == Access::Take,
        (Need::Level, false, access) => matches!(access, Access::Send | Access::SendSorted),
        (_, _, access) => matches!(access, Access::Take | Access::SendSorted),
    };
    let buffer = other.accesses.iter().any(|&(cell, access)| comm.buffers.contains(&cell) && changes(access));
    let any = other.any_channel || (comm.channels.is_none() && other.uses_channels);
    buffer || writes_any(other, &comm.reads) || any
}

/// The test that is true where this one is false.
fn negated(test: &Test) -> Test {
    match test {
        Test::Values(cell, ranges) => Test::Values(*cell, ranges.complement()),
        Test::Level(cell, level) => Test::Level(
            *cell,
            match level {
                Level::NotEmpty => Level::Empty,
                Level::Empty => Level::NotEmpty,
                Level::NotFull => Level::Full,
                Level::Full => Level::NotFull,
            },
        ),
        Test::Other { .. } | Test::Timeout => test.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Survey;
    use stubborn_ir::fixture::{Fixture, add, compare, constant, load, transition};
    use stubborn_ir::{BinaryOp, Interpreter, Model, Pattern, SlotType};

    /// P: `x == 1 -> x = 2`, `x++` or `x == 0`, then `c!x`; Q: `c?y`, `x = 1`, `full(c)`.
    fn model() -> Model {
        let mut fixture = Fixture::new();
        let x = fixture.global("x", SlotType::Byte);
        let c = fixture.channel("c", 2, &[SlotType::Byte]);
        let mut p = fixture.process("P");
        p.edge(0, 1, "one").guard(compare(&x, BinaryOp::Eq, 1)).assign(&x, constant(2));
        p.edge(0, 1, "x++").assign(&x, add(&x, 1));
        p.edge(0, 1, "none").guard(compare(&x, BinaryOp::Eq, 0));
        p.edge(1, 0, "c!x").send(&c, vec![load(&x)]);
        let p = p.finish();
        let mut q = fixture.process("Q");
        let y = q.local("y", SlotType::Byte);
        q.edge(0, 1, "c?y").receive(&c, vec![Pattern::Bind(y)]);
        q.edge(1, 2, "x = 1").assign(&x, constant(1));
        let full = Expr::Chan(stubborn_ir::ChanTest::Full, Box::new(load(&c)));
        q.edge(2, 0, "full(c)").guard(full);
        let q = q.finish();
        fixture.activate(p);
        fixture.activate(q);
        fixture.finish()
    }

    fn with_query(check: impl Fn(&Query<'_, '_>, &dyn Fn(&str) -> StatementId)) {
        let model = model();
        let mut interpreter = Interpreter::new(&model);
        let initial = interpreter.initial().unwrap();
        let survey = Survey::new(&model, interpreter.layout(), &initial);
        check(&survey.query(), &|text| survey.statements(transition(&model, text))[0]);
    }

    #[test]
    fn which_are_never_possible_together() {
        with_query(|query, id| {
            let together = |a, b| query.may_be_co_enabled(id(a), id(b)).is_possible();
            assert!(together("one", "x++") && together("one", "c?y") && together("one", "one"));
            assert!(!together("one", "none") && !together("none", "one"));
            assert!(!together("one", "c!x"), "one process is at one location");
            assert!(!together("full(c)", "c!x") && together("full(c)", "one"));
        });
    }

    #[test]
    fn what_enables_and_what_disables() {
        with_query(|query, id| {
            let of = |row: Over<Row>| {
                let all = ["one", "x++", "none", "c!x", "c?y", "x = 1", "full(c)"];
                all.into_iter().filter(|name| row.may_contain(id(name))).collect::<Vec<&str>>()
            };
            let enables = |name, need| of(query.necessary_enabling_set(id(name), need));
            let disables = |name, need| of(query.necessary_disabling_set(id(name), need));
            assert_eq!(enables("one", Need::Guard(0)), ["x++", "x = 1"]);
            assert_eq!(disables("one", Need::Guard(0)), ["one", "x++"]);
            assert_eq!(enables("none", Need::Guard(0)), ["x++"]);
            assert_eq!(enables("full(c)", Need::Guard(0)), ["c!x"]);
            assert_eq!(disables("full(c)", Need::Guard(0)), ["c?y"]);
            assert_eq!(
                (enables("c!x", Need::Level), disables("c!x", Need::Level)),
                (vec!["c?y"], vec!["c!x"])
            );
            assert_eq!(
                (enables("c?y", Need::Level), disables("c?y", Need::Level)),
                (vec!["c!x"], vec!["c?y"])
            );
        });
    }

    /// What people are told of processes that do not exist follows the rows of those that do.
    #[test]
    fn changes_follow_the_rows() {
        with_query(|query, _| {
            for (id, _) in query.relations.all_statements() {
                for need in query.needs(id) {
                    let changes = query.changes(id, need, true);
                    let row = query.necessary_enabling_set(id, need);
                    for (other, _) in query.relations.all_statements() {
                        let statement = query.relations.statement(other);
                        assert_eq!(changes(statement), row.may_contain(other), "{id} {need:?} {other}");
                    }
                }
            }
        });
    }

    #[test]
    fn what_disables_for_certain() {
        with_query(|query, id| {
            let disables = |a, b| query.must_disable(id(a)).contains(id(b));
            assert!(disables("one", "one") && disables("one", "none"), "the process leaves");
            assert!(!disables("x++", "full(c)") && !disables("x++", "c?y"));
            assert!(!disables("c?y", "full(c)"), "never possible together");
            assert!(disables("x = 1", "none") && !disables("x = 1", "one"));
        });
    }

    /// A receive from one of two channels empties neither for certain.
    #[test]
    fn one_of_several_buffers_changes() {
        let mut fixture = Fixture::new();
        let i = fixture.global("i", SlotType::Byte);
        let a = fixture.channel("a", 1, &[SlotType::Byte]);
        let b = fixture.channel("b", 1, &[SlotType::Byte]);
        let stride = b.slot.offset - a.slot.offset;
        let index = stubborn_ir::Index { value: load(&i), bound: 2, stride };
        let either = stubborn_ir::Place { indices: [index].into(), ..a.clone() };
        let mut p = fixture.process("P");
        p.edge(0, 1, "i = 1").assign(&i, constant(1));
        p.edge(1, 2, "either").receive(&either, vec![Pattern::Any]);
        p.edge(2, 0, "a").receive(&a, vec![Pattern::Any]);
        let p = p.finish();
        let mut q = fixture.process("Q");
        q.edge(0, 0, "full(a)").guard(Expr::Chan(stubborn_ir::ChanTest::Full, Box::new(load(&a))));
        let q = q.finish();
        fixture.activate(p);
        fixture.activate(q);
        let model = fixture.finish();
        let mut interpreter = Interpreter::new(&model);
        let initial = interpreter.initial().unwrap();
        let survey = Survey::new(&model, interpreter.layout(), &initial);
        let query = survey.query();
        let id = |text| survey.statements(transition(&model, text))[0];
        assert!(query.must_disable(id("a")).contains(id("full(a)")));
        assert!(!query.do_not_left_accord(id("full(a)")).may_contain(id("a")));
        assert!(!query.must_disable(id("either")).contains(id("full(a)")));
        assert!(query.do_not_left_accord(id("full(a)")).may_contain(id("either")));
    }

    #[test]
    fn names_of_what_is_used() {
        with_query(|query, id| {
            assert_eq!(query.test_set(id("one")).approximation(), &["x"]);
            assert_eq!(query.read_set(id("c!x")).approximation(), &["x"]);
            assert_eq!(query.read_set(id("x++")).approximation(), &[""; 0]);
            let receive = query.write_set(id("c?y")).into_approximation();
            assert_eq!(receive, ["c", "Q[1]'s location", "Q[1].y"]);
            assert_eq!(query.do_not_accord(id("c!x")).candidates().collect::<Vec<_>>(), [id("x = 1")]);
            assert!(query.do_not_left_accord(id("c!x")).may_contain(id("x = 1")));
        });
    }

    #[test]
    fn what_a_proposition_sees() {
        with_query(|query, id| {
            let slot = query.relations.model().globals[0].slot;
            let x = stubborn_ir::Place::simple(stubborn_ir::Region::Global, slot);
            let visible = query.visible_to(&compare(&x, BinaryOp::Gt, 1));
            let seen: Vec<StatementId> = visible.candidates().collect();
            assert_eq!(seen, [id("one"), id("x++"), id("x = 1")]);
            assert!(query.is_sticky(id("c!x")).is_possible() && query.is_sticky(id("one")).is_impossible());
        });
    }
}
