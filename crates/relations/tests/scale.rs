//! The work to relate many processes of one type grows with what they share, not with the
//! number of pairs. Counted, not timed.

use stubborn_base::IndexVec;
use stubborn_ir::fixture::{Fixture, add, compare, load};
use stubborn_ir::{
    BinaryOp, Expr, Index, Interpreter, Interrupt, Model, Place, Region, SlotType, TransitionId,
};
use stubborn_relations::{IncarnationId, Need, Relations, StatementId, Work};

/// Statements of each process.
const N_STATEMENTS: u16 = 20;

/// Whether some statements of a ring are followed without interruption.
#[derive(Clone, Copy, PartialEq)]
enum Runs {
    None,
    Atomic,
}

/// A ring of `n` processes that use a variable of their own and their neighbour's.
fn ring(n: u32, runs: Runs) -> Model {
    let mut fixture = Fixture::new();
    let first = fixture.global("a[0]", SlotType::Byte);
    for i in 1..n {
        fixture.global(&format!("a[{i}]"), SlotType::Byte);
    }
    let element = |index: Expr| Place {
        region: Region::Global,
        slot: first.slot,
        indices: [Index { value: index, bound: n, stride: 1 }].into(),
    };
    let next = Expr::binary(BinaryOp::Add, Expr::Pid, Expr::Const(1));
    let next = Expr::binary(BinaryOp::Rem, next, Expr::Const(n as i32));
    let (own, next) = (element(Expr::Pid), element(next));
    let mut p = fixture.process("P");
    for i in 0..N_STATEMENTS {
        let mut edge = p.edge(i, (i + 1) % N_STATEMENTS, &format!("s{i}"));
        match i % 4 {
            0 => edge.guard(compare(&next, BinaryOp::Eq, 0)).assign(&own, add(&own, 1)),
            1 => edge.assign(&own, load(&next)),
            2 => edge.assign(&next, Expr::Const(0)),
            _ => edge.guard(compare(&own, BinaryOp::Gt, 0)),
        };
        if i % 4 == 1 && runs == Runs::Atomic {
            edge.atomic();
        }
    }
    let p = p.finish();
    (0..n).for_each(|_| fixture.activate(p));
    fixture.finish()
}

/// Grounds all processes and asks for every row.
fn relate(model: &Model) -> (Work, IndexVec<TransitionId, usize>) {
    let mut interpreter = Interpreter::new(model);
    let initial = interpreter.initial().unwrap();
    let layout = interpreter.layout();
    let mut relations = Relations::new(model, &initial, None);
    let incarnate = |(id, _)| relations.incarnate(layout, id, &[]);
    let incarnations: Vec<IncarnationId> = layout.instances().map(incarnate).collect();
    let mut n_conflicts = IndexVec::new();
    for transition in model.transitions.indices() {
        let ids = incarnations.iter().map(|&inc| relations.statement_id(inc, transition));
        let mut most = 0;
        for id in ids.collect::<Vec<StatementId>>() {
            most = most.max(relations.conflicts(id).candidates().count());
            relations.left_conflicts(id);
            for guard in 0..relations.statement(id).tests.len() {
                relations.necessary_enabling_set(id, Need::Guard(guard));
            }
        }
        n_conflicts.push(most);
    }
    (relations.work(), n_conflicts)
}

#[test]
fn work_grows_with_the_number_of_processes() {
    for runs in [Runs::None, Runs::Atomic] {
        let (few, few_conflicts) = relate(&ring(200, runs));
        let (many, many_conflicts) = relate(&ring(1000, runs));
        assert_eq!(few_conflicts, many_conflicts);
        assert!(few_conflicts.iter().any(|&n| n > 0));
        assert_eq!(many.grounded, 5 * few.grounded);
        assert_eq!(many.grounded, 1000 * u64::from(N_STATEMENTS));
        assert!(many.compared <= 5 * few.compared, "{few:?} {many:?}");
        let all_pairs = many.grounded * many.grounded;
        assert!(many.compared * 10 < all_pairs, "{many:?}");
    }
}

/// Whether rows are right does not depend on when processes came, and when rows were asked for.
#[test]
fn rows_are_the_same_when_processes_come_one_by_one() {
    for runs in [Runs::None, Runs::Atomic] {
        let model = ring(5, runs);
        let mut interpreter = Interpreter::new(&model);
        let initial = interpreter.initial().unwrap();
        let layout = interpreter.layout();
        let rows = |ask: bool| {
            let mut relations = Relations::new(&model, &initial, None);
            let mut incarnations = Vec::new();
            for (instance, _) in layout.instances() {
                let inc = relations.incarnate(layout, instance, &[]);
                incarnations.push(inc);
                if ask {
                    relations.left_conflicts(relations.statement_id(inc, TransitionId(0)));
                    relations
                        .necessary_enabling_set(relations.statement_id(inc, TransitionId(1)), Need::Level);
                }
            }
            let mut ids: Vec<StatementId> = Vec::new();
            for inc in incarnations {
                let first = relations.incarnation(inc).base;
                ids.extend(first..first + StatementId::from(N_STATEMENTS));
            }
            let of =
                |id: &StatementId| (relations.conflicts(*id).clone(), relations.left_conflicts(*id).clone());
            ids.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(rows(false), rows(true));
    }
}

/// Nobody has to wait until everything is related, nor to give more memory than there is.
#[test]
fn whoever_waits_is_asked_and_told_what_is_in_use() {
    let is_over = |n: u32, most: usize| {
        let model = ring(n, Runs::Atomic);
        let mut interpreter = Interpreter::new(&model);
        let initial = interpreter.initial().unwrap();
        let mut relations = Relations::new(&model, &initial, None);
        relations.heed(&Interrupt::new(move |bytes| bytes > most));
        interpreter.layout().instances().for_each(|(id, _)| {
            relations.incarnate(interpreter.layout(), id, &[]);
        });
        relations.is_over()
    };
    assert!(!is_over(100, 1 << 22));
    assert!(is_over(1000, 1 << 22));
    assert!(is_over(1000, 0));
}
