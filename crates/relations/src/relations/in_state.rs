//! What is known of a statement in one state that is not known in all: which array element or channel it
//! is about, and whether what it assigns is there already.

use elsa::FrozenMap;
use hashbrown::DefaultHashBuilder;
use stubborn_ir::{BinaryOp, Effect, Expr, Layout, Place, Region};

use super::enabling::Need;
use super::grounded::Grounded;
use super::{Relations, StatementId};
use crate::access::Access;
use crate::bits::Row;
use crate::direction::Over;
use crate::scope::Scope;
use crate::statement::{Statement, normalise};

/// What is known of a statement in one state that is not known in all.
#[derive(Clone, Copy, Debug)]
pub struct InState<'a> {
    /// The values of [`Relations::unresolved`], in that order: at most [`MAX_SELECTORS`].
    pub selectors: &'a [i32],
    /// [`Relations::assignment`] changes nothing.
    pub changes_nothing: bool,
}

/// By [`VariantKey`].
type VariantRows = FrozenMap<Vec<i32>, Box<Over<Row>>, DefaultHashBuilder>;

/// Rows of statements in states.
#[derive(Default)]
pub(super) struct Variants(VariantRows);

impl std::fmt::Debug for Variants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variants").finish_non_exhaustive()
    }
}

impl std::ops::Deref for Variants {
    type Target = VariantRows;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// More values than this do not tell variants of a statement apart.
pub const MAX_SELECTORS: usize = 12;

/// A statement, what is asked of it, and what is known of it.
struct VariantKey {
    parts: [i32; MAX_SELECTORS + 3],
    len: usize,
}

impl VariantKey {
    fn new(statement: StatementId, code: i32, now: InState<'_>) -> Self {
        let mut parts = [0; MAX_SELECTORS + 3];
        parts[..3].copy_from_slice(&[statement as i32, code, i32::from(now.changes_nothing)]);
        let len = 3 + now.selectors.len();
        parts[3..len].copy_from_slice(now.selectors);
        VariantKey { parts, len }
    }

    fn as_slice(&self) -> &[i32] {
        &self.parts[..self.len]
    }
}

impl<'m> Relations<'m> {
    /// The expressions that decide which array element or channel a statement is about, where that
    /// is not the same in all states.
    #[inline]
    pub fn unresolved(&self, statement: StatementId) -> &[&'m Expr] {
        &self.grounded(statement).unresolved
    }

    /// The only thing a statement does, if that is to assign to something global, which may leave it as it is.
    #[inline]
    pub fn assignment(&self, statement: StatementId) -> Option<(&'m Place, &'m Expr)> {
        let (_, transition) = self.decode(statement);
        let t = &self.model.transitions[transition];
        match (&*t.effects, &t.comm) {
            // A firing never leaves everything as it is.
            _ if self.is_stationary(statement) => None,
            ([Effect::Assign(place, value)], None) if place.region == Region::Global => {
                (!steps_by_one(place, value)).then_some((place, value))
            }
            _ => None,
        }
    }

    /// [`Relations::conflicts`] of a statement that is enabled in a state, as long as nothing that it
    /// reads there changes: which it does not before one of these is executed.
    pub fn conflicts_in_state(
        &self,
        layout: &Layout,
        statement: StatementId,
        now: InState<'_>,
    ) -> &Over<Row> {
        let key = VariantKey::new(statement, 0, now);
        if let Some(row) = self.variants.get(key.as_slice()) {
            return row;
        }
        let own = self.grounded(statement);
        let mut variant = Grounded::new(self.resolve(layout, statement, now), Vec::new());
        let run = self.summarise(&variant.statement, &own.inside);
        variant.set_run(run);
        self.variants
            .insert(key.as_slice().to_vec(), Box::new(Over::row(self.compute_conflicts(statement, &variant))))
    }

    /// [`Relations::necessary_enabling_set`] of a statement in a state: what it needs is not there, and
    /// will not be before something that it looks at there changes.
    pub fn enabling_set_in_state(
        &self,
        layout: &Layout,
        statement: StatementId,
        need: Need,
        now: InState<'_>,
    ) -> &Over<Row> {
        let code = match need {
            Need::Level => 1,
            Need::Match => 2,
            Need::Inhibitor => 3,
            Need::Partner => 4,
            Need::Guard(guard) => 5 + guard as i32,
        };
        let key = VariantKey::new(statement, code, now);
        if let Some(row) = self.variants.get(key.as_slice()) {
            return row;
        }
        let own = self.resolve(layout, statement, now);
        self.variants.insert(
            key.as_slice().to_vec(),
            Box::new(Over::row(self.compute_enabling(statement, need, &own))),
        )
    }

    /// What a statement does by itself in a state.
    fn resolve(&self, layout: &Layout, statement: StatementId, now: InState<'_>) -> Statement {
        let (incarnation, transition) = self.decode(statement);
        let known: Vec<(&Expr, i32)> =
            self.unresolved(statement).iter().copied().zip(now.selectors.iter().copied()).collect();
        let scope = Scope { known: &known, ..self.scope(layout, &self.incarnations[incarnation].subject) };
        let mut resolved = scope.statement(transition);
        if now.changes_nothing
            && let Some((place, _)) = self.assignment(statement)
            && let Some((cell, _)) = scope.cell(place)
        {
            // It has only to stay as it is.
            for (own, access) in &mut resolved.accesses {
                if *own == cell && access.writes() {
                    *access = Access::Read;
                }
            }
            normalise(&mut resolved.accesses);
        }
        resolved
    }
}

/// `place + 1` or `place - 1`, which is another value however narrow the place is.
fn steps_by_one(place: &Place, value: &Expr) -> bool {
    let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, operands) = value else { return false };
    matches!(&**operands, [Expr::Load(from), Expr::Const(1)] if from == place)
}
