//! Choices made before, told by what they rest on.
//!
//! What is chosen in a state rests on who is where, on which steps are enabled, and on what a search for a set looks at
//! besides: a few guards and fill levels. States that agree on the first two share an [`Outline`]; of it, it is known which
//! bytes of a state were ever looked at, and a choice is found again by what they are.
//!
//! Invariant: two states that share an outline and agree on the bytes that were looked at when one of them was made have
//! the same choice, see [`Footprint`]. If more is looked at in a later state, what was kept for the outline is dropped.
//! All of it is dropped when relations or the layout grow, and when there is too much of it. A small state space is over
//! before anything is worth being kept: the first states are not looked up.

use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;
use stubborn_base::Idx;
use stubborn_ir::{Footprint, Interpreter, Model, Slot};
use stubborn_relations::Relations;

/// Choices made before.
#[derive(Debug, Default)]
pub(crate) struct Recall {
    /// What it was filled under: the width of states, and how many incarnations there were.
    valid_for: (usize, usize),
    /// Bytes that say who is where.
    places: Vec<u32>,
    outlines: Vec<Outline>,
    by_outline: HashTable<(u64, u32)>,
    choices: HashTable<(u64, Choice)>,
    /// Keys of outlines and choices, one after the other.
    keys: Vec<u8>,
    /// The key that is being looked up.
    key: Vec<u8>,
    worth: Use,
    /// How many states there were before anything was kept.
    n_first: u32,
}

/// States with the same processes at the same places, and the same steps.
#[derive(Debug)]
struct Outline {
    key: Key,
    /// Bytes that were ever looked at.
    looked_at: Vec<u32>,
    /// How often more of them were found: choices of other generations are of no use.
    generation: u32,
}

/// What was chosen.
#[derive(Clone, Copy, Debug)]
struct Choice {
    outline: u32,
    generation: u32,
    key: Key,
    /// By step.
    chosen: u64,
}

/// A part of [`Recall::keys`].
#[derive(Clone, Copy, Debug)]
struct Key {
    start: u32,
    len: u32,
}

/// Whether it is of use: where hardly anything is found again, it takes longer than to choose anew.
#[derive(Debug, Default)]
struct Use {
    n_asked: u32,
    n_found: u32,
    n_resting: u32,
}

/// Where a choice is to be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    outline: u32,
}

/// What is known of a state.
pub(crate) enum Recalled {
    /// What was chosen, by step.
    Chosen(u64),
    /// Nothing, and it may be kept there.
    Nothing(Vacancy),
    /// Nothing, and it is not to be kept.
    Resting,
}

impl Recall {
    /// Bytes of keys; more than that is forgotten.
    const MOST: usize = 8 << 20;
    /// So many states are not looked up. Where choices are doubted, all of them are: random models are small.
    const FIRST: u32 = if cfg!(debug_assertions) { 0 } else { 256 };
    /// Choices are of at most so many steps.
    pub(crate) const MOST_STEPS: usize = 64;

    /// That looks the first states up, too: faults are looked for in small models.
    pub(crate) fn at_once() -> Self {
        Recall { n_first: Self::FIRST, ..Recall::default() }
    }

    /// Looks a state up whose steps are prepared, without errors.
    pub(crate) fn find(
        &mut self,
        relations: &Relations<'_>,
        interpreter: &Interpreter<'_>,
        state: &[u8],
    ) -> Recalled {
        if self.n_first != Self::FIRST {
            self.n_first += 1;
            return Recalled::Resting;
        }
        if self.worth.is_resting() {
            return Recalled::Resting;
        }
        let valid_for = (interpreter.layout().size(), relations.n_incarnations());
        if self.valid_for != valid_for || self.keys.len() > Self::MOST {
            self.reset(relations, interpreter);
            self.valid_for = valid_for;
        }
        self.outline_key(interpreter, state);
        let outline = self.outline();
        let found = self.choice(outline, state);
        self.worth.note(found.is_some());
        found.map_or(Recalled::Nothing(Vacancy { outline }), Recalled::Chosen)
    }

    /// Whether it is time to look whether what was found is right.
    pub(crate) fn is_doubted(&self) -> bool {
        self.worth.n_asked.is_multiple_of(8)
    }

    /// Keeps what was chosen in the state that was looked up last.
    pub(crate) fn keep(
        &mut self,
        vacancy: Vacancy,
        relations: &Relations<'_>,
        state: &[u8],
        looked_at: &Footprint,
        chosen: u64,
    ) {
        // What was looked up before the relations grew is of the past.
        if looked_at.is_unknown() || self.valid_for.1 != relations.n_incarnations() {
            return;
        }
        let outline = &mut self.outlines[vacancy.outline as usize];
        let n_before = outline.looked_at.len();
        let is_new = |offset: &u32| outline.looked_at[..n_before].binary_search(offset).is_err();
        let new: Vec<u32> = looked_at.offsets().filter(is_new).collect();
        if !new.is_empty() {
            outline.looked_at.extend(new);
            outline.looked_at.sort_unstable();
            outline.generation += 1;
        }
        let (generation, hash) = (outline.generation, self.choice_key(vacancy.outline, state));
        let key = self.store();
        let choice = Choice { outline: vacancy.outline, generation, key, chosen };
        self.choices.insert_unique(hash, (hash, choice), |(hash, _)| *hash);
    }

    fn reset(&mut self, relations: &Relations<'_>, interpreter: &Interpreter<'_>) {
        self.outlines.clear();
        self.by_outline.clear();
        self.choices.clear();
        self.keys.clear();
        let mut places = Footprint::default();
        places.insert_slot(Model::num_processes_slot());
        for (_, instance) in interpreter.layout().instances() {
            places.insert_slot(instance.location);
            let fixed = relations.fixed(instance.process).iter();
            fixed.for_each(|slot: &Slot| places.insert_slot(slot.shifted(instance.base)));
        }
        self.places = places.offsets().collect();
    }

    /// Writes down who is where and what is enabled.
    fn outline_key(&mut self, interpreter: &Interpreter<'_>, state: &[u8]) {
        self.key.clear();
        self.key.extend(bytes_at(&self.places, state));
        for (step, _) in interpreter.prepared() {
            self.key.extend_from_slice(&step.transition.0.to_le_bytes());
            self.key.extend_from_slice(&(step.process.index() as u16).to_le_bytes());
            // A transition comes with partners or without: which is a matter of the channel that it is about.
            let (with, partner) = step.partner.map_or((u32::MAX, 0), |(p, with)| (with.0, p.index()));
            self.key.extend_from_slice(&with.to_le_bytes());
            self.key.extend_from_slice(&(partner as u16).to_le_bytes());
        }
    }

    /// The outline with the present key.
    fn outline(&mut self) -> u32 {
        let hash = hash_of(&self.key, 0);
        let Recall { outlines, by_outline, keys, key, .. } = self;
        let is_it = |&(own, at): &(u64, u32)| own == hash && outlines[at as usize].key.of(keys) == key;
        if let Some(&(_, at)) = by_outline.find(hash, is_it) {
            return at;
        }
        let at = self.outlines.len() as u32;
        let key = self.store();
        self.by_outline.insert_unique(hash, (hash, at), |(hash, _)| *hash);
        self.outlines.push(Outline { key, looked_at: Vec::new(), generation: 0 });
        at
    }

    /// Writes down what is looked at; the hash of it.
    fn choice_key(&mut self, outline: u32, state: &[u8]) -> u64 {
        let looked_at = &self.outlines[outline as usize].looked_at;
        self.key.clear();
        self.key.extend(bytes_at(looked_at, state));
        hash_of(&self.key, u64::from(outline) + 1)
    }

    fn choice(&mut self, outline: u32, state: &[u8]) -> Option<u64> {
        let hash = self.choice_key(outline, state);
        let generation = self.outlines[outline as usize].generation;
        let is_it = |(own, choice): &(u64, Choice)| {
            *own == hash
                && (choice.outline, choice.generation) == (outline, generation)
                && choice.key.of(&self.keys) == self.key
        };
        self.choices.find(hash, is_it).map(|(_, choice)| choice.chosen)
    }

    /// Keeps the present key.
    fn store(&mut self) -> Key {
        let (start, len) = (self.keys.len() as u32, self.key.len() as u32);
        self.keys.extend_from_slice(&self.key);
        Key { start, len }
    }
}

impl Key {
    fn of(self, keys: &[u8]) -> &[u8] {
        &keys[self.start as usize..][..self.len as usize]
    }
}

impl Use {
    /// So many look-ups tell.
    const TRIED: u32 = 1024;
    /// For so many states then, nothing is looked up.
    const RESTS: u32 = 16 * Self::TRIED;

    #[inline]
    fn is_resting(&mut self) -> bool {
        let rests = self.n_resting > 0;
        self.n_resting -= u32::from(rests);
        rests
    }

    #[inline]
    fn note(&mut self, is_found: bool) {
        self.n_asked += 1;
        self.n_found += u32::from(is_found);
        if self.n_asked == Self::TRIED {
            let n_resting = if self.n_found < Self::TRIED / 8 { Self::RESTS } else { 0 };
            *self = Use { n_resting, ..Use::default() };
        }
    }
}

/// Bytes of a state. States grow: what is not there yet is zero.
#[inline]
fn bytes_at(offsets: &[u32], state: &[u8]) -> impl Iterator<Item = u8> {
    offsets.iter().map(|&at| state.get(at as usize).copied().unwrap_or(0))
}

#[inline]
fn hash_of(key: &[u8], seed: u64) -> u64 {
    rapidhash_v3(key) ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
