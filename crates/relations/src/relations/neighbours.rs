//! How many processes have to do with each other: what goes first where all else is equal.
//!
//! Asked of every process that can move, before anything else is asked of most of its statements: so no rows are
//! computed for it, and a process that has been found to have to do with another is not looked at again.

use stubborn_base::Idx;
use stubborn_ir::InstanceId;

use super::enabling::{may_serve, serving};
use super::{Grounded, Incarnation, IncarnationId, LANE, Need, Relations, StatementId};

/// Of more processes than this, all are taken to have to do with each other: to find out would take too long.
const MOST: usize = 64;

/// The same of so many statements.
const MOST_STATEMENTS: usize = 1 << 14;

/// Processes, by instance.
struct Found {
    is_found: Vec<bool>,
    n_found: u32,
}

impl Found {
    #[inline]
    fn contains(&self, instance: InstanceId) -> bool {
        self.is_found[instance.index()]
    }

    #[inline]
    fn add(&mut self, instance: InstanceId) {
        self.n_found += u32::from(!std::mem::replace(&mut self.is_found[instance.index()], true));
    }
}

impl<'m> Relations<'m> {
    /// How many processes have statements that do not accord with one of this process, or wait for it as a partner;
    /// itself included. A guess is good enough: it decides in which order sets are looked for, never what is one.
    #[inline]
    pub fn n_neighbours(&self, id: IncarnationId) -> u32 {
        let inc = &self.incarnations[id];
        *inc.n_neighbours.get_or_init(|| match self.is_small() && self.firings.is_none() {
            true => self.count_neighbours(inc),
            false => MOST as u32,
        })
    }

    fn is_small(&self) -> bool {
        self.incarnations.len() <= MOST && self.by_lane.len() * LANE <= MOST_STATEMENTS
    }

    fn count_neighbours(&self, inc: &Incarnation<'m>) -> u32 {
        let mut found = Found { is_found: vec![false; self.by_instance.len()], n_found: 0 };
        let n_processes = self.by_instance.iter().filter(|known| !known.is_empty()).count() as u32;
        for (statement, own) in (inc.base..).zip(&inc.statements) {
            self.find_conflicting(statement, own, &mut found);
            self.find_serving(statement, own, &mut found);
            if found.n_found == n_processes || self.is_over() {
                break;
            }
        }
        found.n_found
    }

    /// Those with a statement that does not accord with one.
    fn find_conflicting(&self, statement: StatementId, own: &Grounded<'m>, found: &mut Found) {
        let mut n_compared = 0;
        let one = self.compared(statement, own);
        let mut look_at = |id: StatementId, other: &Incarnation<'m>, g: &Grounded<'m>| {
            if !found.contains(other.instance) {
                n_compared += 1;
                if self.conflict(&one, (id, other, g)) {
                    found.add(other.instance);
                }
            }
            found.contains(other.instance)
        };
        self.each_among(self.index.conflicting(own), &mut look_at);
        for id in self.alternatives(statement) {
            look_at(id, one.inc, self.grounded(id));
        }
        self.note(n_compared);
    }

    fn note(&self, n_compared: u64) {
        self.n_compared.update(|n| n + n_compared);
        self.effort.spend(n_compared as usize, 0);
    }

    /// Those with a statement that may be a partner of one, or let it go on on a channel or where it is inhibited.
    fn find_serving(&self, statement: StatementId, own: &Grounded<'m>, found: &mut Found) {
        let own = &own.statement;
        let mut n_compared = 0;
        for need in [Need::Level, Need::Inhibitor] {
            self.each_among(serving(&self.index, own, need), |_, other, g| {
                if !found.contains(other.instance) || !g.drivers.is_empty() {
                    n_compared += 1;
                    if may_serve(&g.statement, own, need) {
                        found.add(other.instance);
                        self.find_drivers(g, found);
                    }
                }
                false
            });
        }
        self.note(n_compared);
        if own.comm.as_ref().is_some_and(|comm| comm.may_meet) {
            for partner in self.partners(statement).candidates() {
                if let Some(id) = self.by_lane[partner as usize / LANE] {
                    found.add(self.incarnations[id].instance);
                    self.find_drivers(self.grounded(partner), found);
                }
            }
        }
    }

    /// Those that begin a run in which a statement may be executed.
    fn find_drivers(&self, g: &Grounded<'m>, found: &mut Found) {
        for &driver in &g.drivers {
            let (id, _) = self.decode(driver);
            found.add(self.incarnations[id].instance);
        }
    }
}
