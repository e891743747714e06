//! The cycle provisos: whether a state may stay partially expanded.
//!
//! Written against a small view of a search: states are numbers; a search says which
//! state it enters, leaves, or comes to again, and is told when to expand the rest of a
//! state. References are given with each [`Proviso`]; the colours are figure 7 of
//! Evangelista and Pajault, the safe flags their figure 5.
//!
//! [`Proviso::ColourReach`] is ours. In figure 7 a partially expanded state may not lead to a red one, wherever that
//! leads to. But a cycle through the two comes back by states of the stack: from one that the red state leads to, by
//! partially expanded states only, upwards to the one being expanded, none of them passed over. So if one of these is
//! fully expanded, that is a state of the cycle as it has to be. Each red state knows a state of the stack as high as
//! all that it leads to so ([`Guardian::reach`]): when that one is left, the one below it is as high as what remains.

use std::cell::Cell;

use stubborn_relations::Fault;

use crate::plan::Proviso;

/// What a search must do about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Nothing.
    Nothing,
    /// Expand more of it, by a larger set, and ask again: one good successor is enough.
    More,
    /// Expand all that is left of it.
    Everything,
    /// Add the visible steps, and what they bring with them.
    Visible,
}

/// Where a successor stands.
pub trait Open {
    /// It was found by this expansion.
    fn is_new(&self, state: u32) -> bool;
    /// It is still to be expanded.
    fn is_open(&self, state: u32) -> bool;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Colour {
    /// Partially expanded and on the stack.
    Orange,
    /// On the stack, and will be red.
    Purple,
    /// Dangerous to come to.
    Red,
    /// Safe to come to.
    Green,
}

/// What is remembered of a state.
#[derive(Clone, Copy, Debug)]
struct Mark {
    entered: bool,
    on_stack: bool,
    safe: bool,
    colour: Colour,
    /// Fully expanded states below it when it was entered. Of a red state with [`Proviso::ColourReach`], the state of the
    /// stack that is as high as all that it leads to, when it was left.
    n_expanded: u32,
}

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: u32,
    is_full: bool,
    /// All its successors have been looked at.
    is_done: bool,
    low: u32,
    leads_out: bool,
}

/// A proviso at work.
#[derive(Debug)]
pub struct Guardian {
    proviso: Proviso,
    skips_recolouring: bool,
    forgets_reach: bool,
    marks: Vec<Mark>,
    stack: Vec<Frame>,
    n_expanded: u32,
    /// With [`Proviso::ColourReach`], by state that was left: one that was below it on the stack, and has not been left
    /// before.
    below: Vec<Cell<u32>>,
    /// Tarjan: order of entering by state; 0 if its component is finished.
    order: Vec<u32>,
    n_entered: u32,
    component: Vec<u32>,
}

impl Guardian {
    /// Watches over a search.
    pub fn new(proviso: Proviso, fault: Option<Fault>) -> Self {
        let proviso = match (fault, proviso) {
            (Some(Fault::DropProviso), _) => Proviso::None,
            (Some(Fault::SafetyForLiveness), Proviso::LiveStack) => Proviso::Stack,
            (
                Some(Fault::SafetyForLiveness),
                Proviso::Colour | Proviso::ColourStar | Proviso::ColourReach,
            ) => Proviso::SafeFlags,
            (Some(Fault::SafetyForLiveness), Proviso::LiveQueue) => Proviso::Queue,
            _ => proviso,
        };
        Guardian {
            proviso,
            skips_recolouring: fault == Some(Fault::SkipRecolouring),
            forgets_reach: fault == Some(Fault::ForgetReach),
            marks: Vec::new(),
            stack: Vec::new(),
            n_expanded: 0,
            below: Vec::new(),
            order: Vec::new(),
            n_entered: 0,
            component: Vec::new(),
        }
    }

    /// Whether nothing has to be told it.
    pub fn is_idle(&self) -> bool {
        matches!(self.proviso, Proviso::None | Proviso::Sticky)
    }

    /// Whether a breadth-first search has to look at it only when no state is left.
    pub fn comes_last(&self) -> bool {
        self.proviso == Proviso::Scc
    }

    /// Bytes it needs for each state.
    pub const BYTES_PER_STATE: usize = size_of::<Mark>() + size_of::<u32>();

    /// A depth-first search enters a state for the first time.
    pub fn enter(&mut self, state: u32) {
        let needed = state as usize + 1;
        if self.marks.len() < needed {
            let fresh =
                Mark { entered: false, on_stack: false, safe: false, colour: Colour::Orange, n_expanded: 0 };
            self.marks.resize(needed, fresh);
        }
        let n_expanded = self.n_expanded;
        self.marks[state as usize] =
            Mark { entered: true, on_stack: true, safe: false, colour: Colour::Orange, n_expanded };
        let mut low = 0;
        if self.proviso == Proviso::ColourReach && self.below.len() < needed {
            self.below.resize(needed, Cell::new(state));
        }
        if self.proviso == Proviso::Scc {
            self.n_entered += 1;
            low = self.n_entered;
            if self.order.len() < needed {
                self.order.resize(needed, 0);
            }
            self.order[state as usize] = low;
            self.component.push(state);
        }
        self.stack.push(Frame { state, is_full: false, is_done: false, low, leads_out: false });
    }

    fn mark(&self, state: u32) -> Option<&Mark> {
        self.marks.get(state as usize).filter(|mark| mark.entered)
    }

    /// Whether the state being expanded may keep to part of its steps, which lead to
    /// `targets`.
    pub fn judge(&self, targets: &[u32], open: &impl Open) -> Demand {
        if self.is_idle() {
            return Demand::Nothing;
        }
        let on_stack = |&state: &u32| self.mark(state).is_some_and(|mark| mark.on_stack);
        let accepted = match self.proviso {
            Proviso::None | Proviso::Sticky => true,
            // Steps that lead to no state put the others off for ever.
            _ if targets.is_empty() => false,
            Proviso::Scc => true,
            Proviso::Stack => !targets.iter().all(on_stack),
            Proviso::LiveStack => !targets.iter().any(on_stack),
            Proviso::SafeFlags => targets.iter().any(|&s| self.mark(s).is_none_or(|mark| mark.safe)),
            Proviso::Queue => targets.iter().any(|&s| open.is_open(s)),
            Proviso::LiveQueue => targets.iter().all(|&s| open.is_open(s)),
            Proviso::Duplicate => targets.iter().any(|&s| open.is_new(s)),
            Proviso::Colour | Proviso::ColourStar | Proviso::ColourReach => {
                !targets.iter().any(|&s| self.is_dangerous(s))
            }
            Proviso::C3Prime => {
                return if targets.iter().any(on_stack) { Demand::Visible } else { Demand::Nothing };
            }
        };
        match self.proviso {
            _ if accepted => Demand::Nothing,
            Proviso::Stack | Proviso::SafeFlags | Proviso::Queue | Proviso::Duplicate => Demand::More,
            _ => Demand::Everything,
        }
    }

    /// Function C2^L_c of figure 7, for one successor of the state on top.
    fn is_dangerous(&self, state: u32) -> bool {
        let Some(mark) = self.mark(state) else { return false };
        match mark.colour {
            Colour::Green => false,
            Colour::Red if self.proviso == Proviso::ColourReach => {
                let is_forgotten = self.forgets_reach && !self.marks[mark.n_expanded as usize].on_stack;
                !is_forgotten && self.is_near(self.reach(state))
            }
            Colour::Red => true,
            Colour::Orange | Colour::Purple => self.is_near(state),
        }
    }

    /// Whether nothing is fully expanded from a state of the stack to the one on top, which is not.
    fn is_near(&self, state: u32) -> bool {
        let own = self.stack.last().expect("a state is being expanded").state;
        let is_full = self.marks[state as usize].colour == Colour::Green;
        !is_full && self.marks[state as usize].n_expanded == self.marks[own as usize].n_expanded
    }

    /// A state of the stack that is as high as all that a red state leads to by partially expanded states.
    fn reach(&self, red: u32) -> u32 {
        let is_left = |state: u32| !self.marks[state as usize].on_stack;
        let mut at = self.marks[red as usize].n_expanded;
        while is_left(at) {
            let below = &self.below[at as usize];
            // The way is halved for whoever comes next.
            if is_left(below.get()) {
                below.set(self.below[below.get() as usize].get());
            }
            at = below.get();
        }
        at
    }

    /// The state on top of the stack has been expanded, fully or not.
    pub fn expanded(&mut self, is_full: bool) {
        if !is_full {
            return;
        }
        let frame = self.stack.last_mut().expect("a state is being expanded");
        if std::mem::replace(&mut frame.is_full, true) {
            return;
        }
        self.n_expanded += 1;
        let state = frame.state;
        match self.proviso {
            Proviso::SafeFlags => self.mark_all_safe(),
            Proviso::Colour => self.marks[state as usize].colour = Colour::Green,
            Proviso::ColourStar | Proviso::ColourReach => {
                self.marks[state as usize].colour = Colour::Green;
                self.spread_green(1);
            }
            _ => {}
        }
    }

    fn mark_all_safe(&mut self) {
        for frame in self.stack.iter().rev() {
            let safe = &mut self.marks[frame.state as usize].safe;
            if std::mem::replace(safe, true) {
                break;
            }
        }
    }

    /// All successors of the state on top have been looked at, the last of them now.
    pub fn last_successor(&mut self) {
        self.stack.last_mut().expect("a state is being expanded").is_done = true;
    }

    /// The state on top of the stack has a successor that was entered before.
    pub fn meets(&mut self, target: u32) -> Demand {
        let mark = *self.mark(target).expect("it was entered");
        let frame = *self.stack.last().expect("a state is being expanded");
        match self.proviso {
            Proviso::SafeFlags if mark.safe => self.mark_all_safe(),
            Proviso::Scc => {
                let order = self.order[target as usize];
                let top = self.stack.last_mut().expect("a state is being expanded");
                if order == 0 {
                    top.leads_out = true;
                } else {
                    top.low = top.low.min(order);
                }
            }
            Proviso::Colour | Proviso::ColourStar | Proviso::ColourReach => {
                let own = self.marks[frame.state as usize].colour;
                let is_partial = matches!(own, Colour::Orange | Colour::Purple);
                let is_red = mark.colour == Colour::Red;
                if is_partial && is_red && self.is_dangerous(target) && !self.skips_recolouring {
                    return Demand::Everything;
                }
                if self.proviso != Proviso::Colour && is_partial {
                    match mark.colour {
                        Colour::Green => self.spread_green(0),
                        Colour::Orange | Colour::Purple | Colour::Red => self.spread_purple(),
                    }
                }
            }
            _ => {}
        }
        Demand::Nothing
    }

    /// From the top down, states whose successors have all been looked at, and are green,
    /// will be green. The first `skipped` are so already.
    fn spread_green(&mut self, skipped: usize) {
        for frame in self.stack.iter().rev().skip(skipped) {
            let mark = &mut self.marks[frame.state as usize];
            if mark.colour != Colour::Orange || !frame.is_done {
                break;
            }
            mark.colour = Colour::Green;
        }
    }

    /// From the top down, states that lead to one that is not green will be red.
    fn spread_purple(&mut self) {
        for frame in self.stack.iter().rev() {
            let mark = &mut self.marks[frame.state as usize];
            if mark.colour != Colour::Orange {
                break;
            }
            mark.colour = Colour::Purple;
        }
    }

    /// The state on top of the stack has no more successors to look at; they are `targets`.
    /// It is left unless something is demanded.
    pub fn leave(&mut self, targets: &[u32], ignores: impl FnOnce(&[u32]) -> bool) -> Demand {
        let frame = *self.stack.last().expect("a state is being left");
        if self.proviso == Proviso::Scc && frame.low == self.order[frame.state as usize] {
            let start = self.component.iter().rposition(|&s| s == frame.state).expect("it was entered");
            if !frame.leads_out && !frame.is_full && ignores(&self.component[start..]) {
                return Demand::Everything;
            }
            for state in self.component.drain(start..) {
                self.order[state as usize] = 0;
            }
        }
        self.stack.pop();
        if let Some(below) = self.stack.last_mut() {
            if self.order.get(frame.state as usize).is_some_and(|&order| order == 0) {
                below.leads_out = true;
            } else {
                below.low = below.low.min(frame.low);
                below.leads_out |= frame.leads_out;
            }
        }
        if frame.is_full {
            self.n_expanded -= 1;
        }
        self.marks[frame.state as usize].on_stack = false;
        let colour = self.marks[frame.state as usize].colour;
        if matches!(colour, Colour::Orange | Colour::Purple) {
            let all_green = targets.iter().all(|&s| self.marks[s as usize].colour == Colour::Green);
            let colour = if all_green { Colour::Green } else { Colour::Red };
            self.marks[frame.state as usize].colour = colour;
        }
        if self.proviso == Proviso::ColourReach
            && let Some(below) = self.stack.last()
        {
            self.below[frame.state as usize].set(below.state);
            if self.marks[frame.state as usize].colour == Colour::Red {
                let highest = targets.iter().filter_map(|&s| self.leads_to(s));
                let highest = highest.max_by_key(|&s| self.marks[s as usize].n_expanded);
                self.marks[frame.state as usize].n_expanded = highest.expect("not all of them are green");
            }
        }
        Demand::Nothing
    }

    /// Of a state that leads to this one, what is still on the stack of what it leads to so.
    fn leads_to(&self, target: u32) -> Option<u32> {
        match self.marks[target as usize].colour {
            Colour::Green => None,
            Colour::Red => Some(self.reach(target)),
            Colour::Orange | Colour::Purple => Some(target),
        }
    }
}

#[cfg(test)]
mod tests;
