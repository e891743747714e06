//! Expressions as one process sees them: what they read, and their value if that is
//! known without a state.

use stubborn_base::IndexVec;
use stubborn_ir::Pid;
use stubborn_ir::{
    BinaryOp, ChanTest, ChannelId, Expr, Instance, Layout, Model, Pattern, Place, Poll, ProcessType,
    ProcessTypeId, Region, Remote, Slot, UnaryOp,
};

use crate::access::{Access, Cell, Level, Test, rendezvous_cell};
use crate::constants::{Constants, each_slot};
use crate::fault::Fault;
use crate::ranges::Ranges;

/// The number of a process that has a frame, but whose number is not known. At most 255
/// processes exist, so none has it.
pub(crate) const UNKNOWN_PID: Pid = Pid::MAX;

/// The process that expressions are read for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Subject {
    /// Its type.
    pub(crate) process: ProcessTypeId,
    /// Its number and where its frame begins; none for one that does not exist yet.
    pub(crate) placed: Option<(Pid, u32)>,
    /// The values of the fixed slots of its type; none if they are not known.
    pub(crate) fixed: Option<Vec<i32>>,
}

impl Subject {
    /// Its number, if that is known.
    pub(crate) fn pid(&self) -> Option<Pid> {
        self.placed.map(|(pid, _)| pid).filter(|&pid| pid != UNKNOWN_PID)
    }
}

/// Reads expressions.
pub(crate) struct Scope<'a> {
    pub(crate) model: &'a Model,
    pub(crate) constants: &'a Constants,
    /// The values of globals before anything has moved.
    pub(crate) initial: &'a [u8],
    pub(crate) layout: &'a Layout,
    /// By type: whether there is exactly one process of it, from the start to its end.
    pub(crate) singletons: &'a IndexVec<ProcessTypeId, bool>,
    pub(crate) fault: Option<Fault>,
    pub(crate) subject: &'a Subject,
    /// What is known of indices and channels in one state, by [`Unresolved`].
    pub(crate) known: &'a [(&'a Expr, i32)],
}

/// The expressions that decide which element or channel a statement is about, and are
/// not constant. All are evaluated in the state before it, so that those that look alike have one value.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unresolved<'m> {
    /// Each expression with the place of its like among the different ones.
    all: Vec<(&'m Expr, usize)>,
    different: Vec<&'m Expr>,
}

impl<'m> Unresolved<'m> {
    pub(crate) fn push(&mut self, expr: &'m Expr) {
        let known = self.different.iter().position(|other| **other == *expr);
        let place = known.unwrap_or_else(|| {
            self.different.push(expr);
            self.different.len() - 1
        });
        self.all.push((expr, place));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Those whose values have to be found.
    #[inline]
    pub(crate) fn values(&self) -> &[&'m Expr] {
        &self.different
    }

    /// Every one with its value, given those of [`Unresolved::values`].
    pub(crate) fn with_values(&self, values: &[i32]) -> impl Iterator<Item = (&'m Expr, i32)> {
        self.all.iter().map(|&(expr, place)| (expr, values[place]))
    }
}

/// What was read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Reads {
    pub(crate) accesses: Vec<(Cell, Access)>,
    pub(crate) any_channel: bool,
    /// It depends on which processes of some type there are.
    pub(crate) open: bool,
    /// It cannot be told.
    pub(crate) everything: bool,
}

/// Cell of the number of processes.
pub(crate) fn n_processes_cell() -> Cell {
    Model::num_processes_slot().offset
}

/// Cell of whether a process exists: the second byte of its location, which is no slot.
pub(crate) fn alive_cell(instance: &Instance) -> Cell {
    instance.location.offset + 1
}

/// Channels an expression may name: their numbers, or none if they are not known.
pub(crate) type Channels = Option<Vec<u16>>;

impl Scope<'_> {
    /// The value, if it is the same in all states.
    pub(crate) fn constant(&self, expr: &Expr) -> Option<i32> {
        self.value(expr, None)
    }

    /// The value of an index or a channel, if it is the same in all states or known in this one.
    fn selector(&self, expr: &Expr) -> Option<i32> {
        self.constant(expr).or_else(|| {
            self.known.iter().find(|(known, _)| std::ptr::eq(*known, expr)).map(|(_, value)| *value)
        })
    }

    /// The value, if it is known when the given cell has the given value.
    fn value(&self, expr: &Expr, given: Option<(Cell, i32)>) -> Option<i32> {
        let at = |cell: Cell| given.filter(|(own, _)| *own == cell).map(|(_, value)| value);
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Load(place) => {
                // What is known in one state only is no constant.
                let slot = self.slot(place, |index| self.constant(index))?;
                match place.region {
                    Region::Global if self.constants.is_constant_global(slot.offset) => {
                        Some(slot.read(self.initial))
                    }
                    Region::Global => at(slot.offset),
                    Region::Local => self.fixed(slot).or_else(|| at(self.local_cell(slot)?)),
                }
            }
            Expr::Unary(op, operand) => Some(op.apply(self.value(operand, given)?)),
            Expr::Binary(op, operands) => {
                let left = self.value(&operands[0], given)?;
                match op {
                    BinaryOp::And if left == 0 => return Some(0),
                    BinaryOp::Or if left != 0 => return Some(1),
                    _ => {}
                }
                op.apply(left, self.value(&operands[1], given)?)
            }
            Expr::Conditional(parts) => {
                let chosen = if self.value(&parts[0], given)? != 0 { 1 } else { 2 };
                self.value(&parts[chosen], given)
            }
            Expr::Pid => self.subject.pid().map(i32::from),
            Expr::NumProcesses => at(n_processes_cell()),
            _ => None,
        }
    }

    /// The slot of a place whose indices are all told, relative to its region.
    fn slot(&self, place: &Place, told: impl Fn(&Expr) -> Option<i32>) -> Option<Slot> {
        let mut slot = place.slot;
        for index in &*place.indices {
            let value = u32::try_from(told(&index.value)?).ok()?;
            if value >= index.bound {
                return None;
            }
            slot = slot.shifted(value * index.stride);
        }
        Some(slot)
    }

    fn fixed(&self, slot: Slot) -> Option<i32> {
        let values = self.subject.fixed.as_ref()?;
        let slots = self.constants.fixed(self.subject.process);
        let at = slots.binary_search_by_key(&slot.offset, |s| s.offset).ok()?;
        Some(values[at])
    }

    fn local_cell(&self, slot: Slot) -> Option<Cell> {
        self.subject.placed.map(|(_, base)| base + slot.offset)
    }

    /// The one slot a place stands for, as a cell; none if it is not known.
    pub(crate) fn cell(&self, place: &Place) -> Option<(Cell, Slot)> {
        let slot = self.slot(place, |index| self.selector(index))?;
        let cell = match place.region {
            Region::Global => slot.offset,
            Region::Local => self.local_cell(slot)?,
        };
        Some((cell, slot))
    }

    /// All cells a place may be. Those of a process that does not exist yet are nobody's.
    pub(crate) fn cells(&self, place: &Place, mut found: impl FnMut(Cell)) {
        // Each index that is constant narrows the place.
        let mut narrowed = Place { region: place.region, slot: place.slot, indices: Box::new([]) };
        let mut open = Vec::new();
        for index in &*place.indices {
            match self.selector(&index.value).and_then(|value| u32::try_from(value).ok()) {
                Some(value) if value < index.bound => {
                    narrowed.slot = narrowed.slot.shifted(value * index.stride);
                }
                _ => open.push(index.clone()),
            }
        }
        narrowed.indices = open.into();
        let base = match place.region {
            Region::Global => 0,
            Region::Local => match self.subject.placed {
                Some((_, base)) => base,
                None => return,
            },
        };
        each_slot(&narrowed, |slot| found(base + slot.offset));
    }

    /// What the indices of a place read.
    pub(crate) fn read_indices(&self, place: &Place, reads: &mut Reads) {
        for index in &*place.indices {
            self.read(&index.value, reads);
        }
    }

    /// What an expression reads.
    pub(crate) fn read(&self, expr: &Expr, reads: &mut Reads) {
        if self.constant(expr).is_some() {
            return;
        }
        match expr {
            Expr::Const(_) | Expr::Pid | Expr::Created | Expr::Timeout => {}
            Expr::Load(place) => {
                self.read_indices(place, reads);
                let constant =
                    |cell: Cell| place.region == Region::Global && self.constants.is_constant_global(cell);
                self.cells(place, |cell| {
                    if !constant(cell) {
                        reads.accesses.push((cell, Access::Read));
                    }
                });
            }
            Expr::Unary(_, operand) => self.read(operand, reads),
            Expr::Binary(_, operands) => operands.iter().for_each(|operand| self.read(operand, reads)),
            Expr::Conditional(parts) => parts.iter().for_each(|part| self.read(part, reads)),
            Expr::Chan(_, chan) => self.read_channel(chan, Access::Look, reads),
            Expr::Poll(poll) => self.read_poll(poll, Access::Look, reads),
            Expr::NumProcesses => reads.accesses.push((n_processes_cell(), Access::Read)),
            Expr::LastPid => {
                if let Some(slot) = self.model.last_pid {
                    reads.accesses.push((slot.offset, Access::Read));
                }
            }
            Expr::Enabled(pid) | Expr::LocationOf(pid) | Expr::PriorityOf(pid) => {
                // Reduction is off in models that ask this of anybody.
                self.read(pid, reads);
            }
            // Of processes, these are asked by nobody; of properties, they are looked at as a whole.
            Expr::NonProgress | Expr::Accepting => {}
            Expr::At(remote, _) | Expr::RemotePid(remote) => self.read_remote(remote, None, reads),
            Expr::Remote(remote, place) => self.read_remote(remote, Some(place), reads),
        }
    }

    pub(crate) fn read_poll(&self, poll: &Poll, access: Access, reads: &mut Reads) {
        self.read_channel(&poll.chan, access, reads);
        for field in &poll.pattern {
            if let Pattern::Match(expr) = field {
                self.read(expr, reads);
            }
        }
    }

    /// What is read by looking into a channel.
    pub(crate) fn read_channel(&self, chan: &Expr, access: Access, reads: &mut Reads) {
        self.read(chan, reads);
        match self.channels(chan) {
            Some(numbers) => {
                for number in numbers {
                    if let Some(cell) = self.channel_cell(number) {
                        reads.accesses.push((cell, access));
                    }
                    self.read_owner(number, reads);
                }
            }
            None => reads.any_channel = true,
        }
    }

    /// A channel is there as long as its process is.
    pub(crate) fn read_owner(&self, number: u16, reads: &mut Reads) {
        let owner = self.layout.channel_info(ChannelId(number)).and_then(|info| info.owner);
        if let Some(owner) = owner {
            let instance = self.layout.instance(owner);
            if self.subject.placed != Some((instance.pid, instance.base)) {
                reads.accesses.push((alive_cell(instance), Access::Read));
            }
        }
    }

    /// The channels an expression may name.
    pub(crate) fn channels(&self, chan: &Expr) -> Channels {
        if let Some(number) = self.selector(chan) {
            return Some(u16::try_from(number).ok().filter(|&n| n != 0).into_iter().collect());
        }
        let Expr::Load(place) = chan else { return None };
        match place.region {
            Region::Global => {
                // An array of channels that nothing writes.
                let mut numbers = Vec::new();
                let mut constant = true;
                self.cells(place, |cell| {
                    constant &= self.constants.is_constant_global(cell);
                    let number = Slot::new(cell, &stubborn_ir::SlotType::Chan).read(self.initial);
                    numbers.extend(u16::try_from(number).ok().filter(|&n| n != 0));
                });
                constant.then_some(numbers)
            }
            Region::Local => {
                let ty: &ProcessType = &self.model.processes[self.subject.process];
                let fixed = self.constants.fixed(self.subject.process);
                let mut slots = Vec::new();
                each_slot(place, |slot| slots.push(slot));
                let is_fixed = |slot: &Slot| fixed.binary_search_by_key(&slot.offset, |s| s.offset).is_ok();
                if !slots.iter().all(is_fixed) {
                    return None;
                }
                // Channels of a process that does not exist yet are nobody else's.
                let is_own = |slot: &Slot| ty.channels.iter().any(|c| c.variable.offset == slot.offset);
                if self.subject.placed.is_none() && slots.iter().all(is_own) {
                    return Some(Vec::new());
                }
                let number = |&slot: &Slot| self.fixed(slot).or_else(|| self.own_channel(ty, slot));
                let numbers = slots.iter().map(number).collect::<Option<Vec<i32>>>()?;
                Some(numbers.into_iter().filter_map(|n| u16::try_from(n).ok()).filter(|&n| n != 0).collect())
            }
        }
    }

    /// The number of the channel that the subject creates for a variable.
    fn own_channel(&self, ty: &ProcessType, slot: Slot) -> Option<i32> {
        let (_, base) = self.subject.placed?;
        let index = ty.channels.iter().position(|c| c.variable.offset == slot.offset)?;
        let (_, instance) = self.layout.instances().find(|(_, i)| i.base == base)?;
        Some(i32::from(instance.first_channel) + index as i32)
    }

    /// The cell of a channel's contents.
    pub(crate) fn channel_cell(&self, number: u16) -> Option<Cell> {
        let info = self.layout.channel_info(ChannelId(number))?;
        Some(if info.capacity == 0 { rendezvous_cell(number) } else { info.contents })
    }

    fn read_remote(&self, remote: &Remote, place: Option<&Place>, reads: &mut Reads) {
        if let Some(pid) = &remote.pid {
            self.read(pid, reads);
        }
        if let Some(place) = place {
            self.read_indices(place, reads);
        }
        reads.open = true;
        let pid = remote.pid.as_ref().and_then(|pid| self.constant(pid));
        if !self.singletons[remote.process] {
            reads.accesses.push((n_processes_cell(), Access::Read));
        }
        for (_, instance) in self.layout.instances() {
            let other = |pid| pid != i32::from(instance.pid) && instance.pid != UNKNOWN_PID;
            if instance.process != remote.process || pid.is_some_and(other) {
                continue;
            }
            reads.accesses.push((instance.location.offset, Access::Read));
            if let Some(place) = place {
                each_slot(place, |slot| reads.accesses.push((instance.base + slot.offset, Access::Read)));
            }
        }
    }

    /// What a guard asks; nothing if it is always true. Also, whether that depends on
    /// which processes there are.
    pub(crate) fn test(&self, guard: &Expr) -> (Option<Test>, bool) {
        if let Some(value) = self.constant(guard) {
            let never = Test::Other { accesses: Vec::new(), any_channel: false };
            return ((value == 0).then_some(never), false);
        }
        if matches!(guard, Expr::Timeout) {
            return (Some(Test::Timeout), false);
        }
        if let Some(test) = self.level_test(guard) {
            return (Some(test), false);
        }
        let mut reads = Reads::default();
        match guard {
            Expr::Poll(poll) => self.read_poll(poll, Access::Head, &mut reads),
            _ => self.read(guard, &mut reads),
        }
        reads.accesses.sort_unstable();
        reads.accesses.dedup();
        if let ([(cell, Access::Read)], false) = (&*reads.accesses, reads.any_channel)
            && let Some(ranges) = self.ranges(guard, *cell)
        {
            return (Some(Test::Values(*cell, ranges)), reads.open);
        }
        let Reads { accesses, any_channel, open, .. } = reads;
        (Some(Test::Other { accesses, any_channel }), open)
    }

    fn level_test(&self, guard: &Expr) -> Option<Test> {
        let (test, chan, negated) = match guard {
            Expr::Chan(test, chan) => (*test, chan, false),
            Expr::Unary(UnaryOp::Not, inner) => match &**inner {
                Expr::Chan(test, chan) => (*test, chan, true),
                _ => return None,
            },
            _ => return None,
        };
        let number = u16::try_from(self.selector(chan)?).ok()?;
        let info = self.layout.channel_info(ChannelId(number))?;
        let own = |owner| {
            let instance = self.layout.instance(owner);
            self.subject.placed == Some((instance.pid, instance.base))
        };
        if info.capacity == 0 || !info.owner.is_none_or(own) {
            return None;
        }
        let level = match (test, negated) {
            (ChanTest::NotEmpty | ChanTest::Len, false) | (ChanTest::Empty, true) => Level::NotEmpty,
            (ChanTest::Empty, false) | (ChanTest::NotEmpty | ChanTest::Len, true) => Level::Empty,
            (ChanTest::Full, false) | (ChanTest::NotFull, true) => Level::Full,
            (ChanTest::NotFull, false) | (ChanTest::Full, true) => Level::NotFull,
        };
        Some(Test::Level(info.contents, level))
    }

    /// The values of `cell`, the only thing a guard reads, that make it true.
    fn ranges(&self, guard: &Expr, cell: Cell) -> Option<Ranges> {
        let is_cell = |expr: &Expr| match expr {
            Expr::Load(place) => self.cell(place).is_some_and(|(own, _)| own == cell),
            Expr::NumProcesses => cell == n_processes_cell(),
            _ => false,
        };
        match guard {
            _ if is_cell(guard) => Ranges::comparison(BinaryOp::Ne, 0),
            Expr::Unary(UnaryOp::Not, inner) => Some(self.ranges(inner, cell)?.complement()),
            Expr::At(_, location) => Some(Ranges::one(i32::from(location.0) + 1)),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let [left, right] = &**operands;
                match (self.ranges(left, cell), self.ranges(right, cell)) {
                    (Some(left), Some(right)) if *op == BinaryOp::And => Some(left.intersection(&right)),
                    (Some(left), Some(right)) => Some(left.union(&right)),
                    _ => self.small_ranges(guard, cell),
                }
            }
            Expr::Binary(op, operands) => {
                let [left, right] = &**operands;
                let compared = match (self.constant(left), self.constant(right)) {
                    (None, Some(bound)) if is_cell(left) => Ranges::comparison(*op, bound),
                    (Some(bound), None) if is_cell(right) => Ranges::comparison(flipped(*op), bound),
                    (None, Some(bound)) if equates(*op) => {
                        self.unshifted(left, bound, is_cell).and_then(|b| Ranges::comparison(*op, b))
                    }
                    (Some(bound), None) if equates(*op) => {
                        self.unshifted(right, bound, is_cell).and_then(|b| Ranges::comparison(*op, b))
                    }
                    _ => None,
                };
                compared.or_else(|| self.small_ranges(guard, cell))
            }
            _ => self.small_ranges(guard, cell),
        }
    }

    /// `bound - shift`, where `expr` is the cell plus a constant shift.
    fn unshifted(&self, expr: &Expr, bound: i32, is_cell: impl Fn(&Expr) -> bool) -> Option<i32> {
        let Expr::Binary(op, operands) = expr else { return None };
        let [left, right] = &**operands;
        match op {
            BinaryOp::Add if is_cell(left) => Some(bound.wrapping_sub(self.constant(right)?)),
            BinaryOp::Sub if is_cell(left) => Some(bound.wrapping_add(self.constant(right)?)),
            _ => None,
        }
    }

    /// By trying all values of a cell of one byte.
    fn small_ranges(&self, guard: &Expr, cell: Cell) -> Option<Ranges> {
        if !reads_bytes_only(guard) {
            return None;
        }
        Ranges::of_small(256, |value| self.value(guard, Some((cell, value))).map(|v| v != 0))
    }
}

/// Calls `found` with every expression that selects an element or a channel.
pub(crate) fn each_selector<'m>(expr: &'m Expr, found: &mut impl FnMut(&'m Expr)) {
    match expr {
        Expr::Load(place) => place_selectors(place, found),
        Expr::Unary(_, operand) => each_selector(operand, found),
        Expr::Binary(_, operands) => operands.iter().for_each(|e| each_selector(e, found)),
        Expr::Conditional(parts) => parts.iter().for_each(|e| each_selector(e, found)),
        Expr::Chan(_, chan) => {
            found(chan);
            each_selector(chan, found);
        }
        Expr::Poll(poll) => {
            found(&poll.chan);
            each_selector(&poll.chan, found);
            pattern_selectors(&poll.pattern, found);
        }
        _ => {}
    }
}

/// Of a place.
pub(crate) fn place_selectors<'m>(place: &'m Place, found: &mut impl FnMut(&'m Expr)) {
    for index in &*place.indices {
        found(&index.value);
        each_selector(&index.value, found);
    }
}

/// Of the fields of a receive.
pub(crate) fn pattern_selectors<'m>(pattern: &'m [Pattern], found: &mut impl FnMut(&'m Expr)) {
    for field in pattern {
        // Where a field is stored may depend on the fields before it.
        if let Pattern::Match(expr) = field {
            each_selector(expr, found);
        }
    }
}

/// Whether everything loaded is one byte wide.
fn reads_bytes_only(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Pid | Expr::NumProcesses => true,
        Expr::Load(place) => place.slot.size() == 1 && place.indices.is_empty(),
        Expr::Unary(_, operand) => reads_bytes_only(operand),
        Expr::Binary(_, operands) => operands.iter().all(reads_bytes_only),
        Expr::Conditional(parts) => parts.iter().all(reads_bytes_only),
        _ => false,
    }
}

fn equates(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne)
}

pub(crate) fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
