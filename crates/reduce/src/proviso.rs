//! The cycle provisos: whether a state may stay partially expanded.
//!
//! Written against a small view of a search: states are numbers; a search says which
//! state it enters, leaves, or comes to again, and is told when to expand the rest of a
//! state. References are given with each [`Proviso`]; the colours are figure 7 of
//! Evangelista and Pajault, the safe flags their figure 5.

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
    /// Fully expanded states below it when it was entered.
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
    skip_recolouring: bool,
    marks: Vec<Mark>,
    stack: Vec<Frame>,
    n_expanded: u32,
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
            (Some(Fault::SafetyForLiveness), Proviso::Colour | Proviso::ColourStar) => Proviso::SafeFlags,
            (Some(Fault::SafetyForLiveness), Proviso::LiveQueue) => Proviso::Queue,
            _ => proviso,
        };
        Guardian {
            proviso,
            skip_recolouring: fault == Some(Fault::SkipRecolouring),
            marks: Vec::new(),
            stack: Vec::new(),
            n_expanded: 0,
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
            Proviso::Colour | Proviso::ColourStar => !targets.iter().any(|&s| self.is_dangerous(s)),
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
            Colour::Red => true,
            Colour::Orange | Colour::Purple => {
                // Nothing between the two is fully expanded.
                let own = self.stack.last().expect("a state is being expanded").state;
                mark.n_expanded == self.marks[own as usize].n_expanded
            }
        }
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
            Proviso::ColourStar => {
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
            Proviso::Colour | Proviso::ColourStar => {
                let own = self.marks[frame.state as usize].colour;
                let is_partial = matches!(own, Colour::Orange | Colour::Purple);
                if is_partial && mark.colour == Colour::Red && !self.skip_recolouring {
                    return Demand::Everything;
                }
                if self.proviso == Proviso::ColourStar && own != Colour::Green {
                    match mark.colour {
                        Colour::Green => self.spread_green(0),
                        Colour::Orange | Colour::Purple => self.spread_purple(),
                        Colour::Red => {}
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
        Demand::Nothing
    }
}
