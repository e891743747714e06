//! What is known of a statement in one state that is not known in all: which array element or channel it
//! is about, and whether what it assigns is there already.

use elsa::{FrozenMap, FrozenVec};
use hashbrown::DefaultHashBuilder;
use stubborn_ir::{Expr, Layout, Place};

use super::enabling::Need;
use super::grounded::Grounded;
use super::{Relations, StatementId};
use crate::access::Access;
use crate::bits::Row;
use crate::direction::Over;
use crate::scope::{Scope, Unresolved};
use crate::statement::{Statement, normalise};

/// What is known of a statement in one state that is not known in all.
#[derive(Clone, Copy, Debug)]
pub struct InState<'a> {
    /// The values of [`Relations::unresolved`], in that order: at most [`MAX_SELECTORS`].
    pub selectors: &'a [i32],
    /// [`Relations::assignment`] changes nothing.
    pub changes_nothing: bool,
}

/// Rows of one statement in states, by what is asked and what is known there.
#[derive(Default)]
pub(super) struct Variants {
    /// The first ones, which are found without much ado.
    few: FrozenVec<Box<(Vec<i32>, Over<Row>)>>,
    many: FrozenMap<Vec<i32>, Box<Over<Row>>, DefaultHashBuilder>,
}

/// So many variants of a statement are looked through one by one.
const FEW: usize = 8;

impl Variants {
    fn get(&self, key: &[i32]) -> Option<&Over<Row>> {
        let mut few = self.few.iter();
        match few.find(|(known, _)| known.iter().eq(key)) {
            Some((_, row)) => Some(row),
            None if self.few.len() < FEW => None,
            None => self.many.get(key),
        }
    }

    fn insert(&self, key: &[i32], row: Over<Row>) -> &Over<Row> {
        if self.few.len() < FEW {
            return &self.few.push_get(Box::new((key.to_vec(), row))).1;
        }
        self.many.insert(key.to_vec(), Box::new(row))
    }
}

impl std::fmt::Debug for Variants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variants").finish_non_exhaustive()
    }
}

/// More values than this do not tell variants of a statement apart.
pub const MAX_SELECTORS: usize = 12;

/// What is asked of a statement, and what is known of it.
struct VariantKey {
    parts: [i32; MAX_SELECTORS + 1],
    len: usize,
}

impl VariantKey {
    fn new(code: i32, now: InState<'_>) -> Self {
        let mut parts = [0; MAX_SELECTORS + 1];
        parts[0] = 2 * code + i32::from(now.changes_nothing);
        let len = 1 + now.selectors.len();
        parts[1..len].copy_from_slice(now.selectors);
        VariantKey { parts, len }
    }

    fn as_slice(&self) -> &[i32] {
        &self.parts[..self.len]
    }
}

impl<'m> Relations<'m> {
    /// The expressions that decide which array element or channel a statement is about, where that
    /// is not the same in all states; each once.
    #[inline]
    pub fn unresolved(&self, statement: StatementId) -> &[&'m Expr] {
        self.grounded(statement).unresolved.values()
    }

    /// The only thing a statement does, if that is to assign to something global, which may leave it as it is.
    #[inline]
    pub fn assignment(&self, statement: StatementId) -> Option<(&'m Place, &'m Expr)> {
        self.grounded(statement).assignment
    }

    /// [`Relations::conflicts`] of a statement that is enabled in a state, as long as nothing that it
    /// reads there changes: which it does not before one of these is executed.
    pub fn conflicts_in_state(
        &self,
        layout: &Layout,
        statement: StatementId,
        now: InState<'_>,
    ) -> &Over<Row> {
        let own = self.grounded(statement);
        let key = VariantKey::new(0, now);
        let variants = own.variants.get_or_init(Box::default);
        if let Some(row) = variants.get(key.as_slice()) {
            return row;
        }
        let mut variant = Grounded::new(self.resolve(layout, statement, now), Unresolved::default());
        let run = self.summarise(&variant.statement, &own.inside);
        variant.set_run(run);
        variants.insert(key.as_slice(), self.kept(self.compute_conflicts(statement, &variant)))
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
        let key = VariantKey::new(code, now);
        let variants = self.grounded(statement).variants.get_or_init(Box::default);
        if let Some(row) = variants.get(key.as_slice()) {
            return row;
        }
        let own = self.resolve(layout, statement, now);
        variants.insert(key.as_slice(), self.kept(self.compute_enabling(statement, need, &own)))
    }

    /// What a statement does by itself in a state.
    fn resolve(&self, layout: &Layout, statement: StatementId, now: InState<'_>) -> Statement {
        let (incarnation, transition) = self.decode(statement);
        let known: Vec<(&Expr, i32)> =
            self.grounded(statement).unresolved.with_values(now.selectors).collect();
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
