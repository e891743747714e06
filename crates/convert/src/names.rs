//! Names for the slots of a model: variables, and arrays where an element is chosen by what is computed.
//!
//! Invariant: every slot that the model declares is one variable, or one element of one array; names are letters, digits
//! and `_`, each given once, and no words of a language that is written.

use hashbrown::{HashMap, HashSet};
use stubborn_ir::{Place, SlotType, Variable};

use crate::Refused;

/// Words that mean something in Promela or in DVE.
const WORDS: &[&str] = &[
    "accept", "active", "and", "assert", "async", "atomic", "bit", "bool", "break", "byte", "chan",
    "channel", "commit", "const", "d_step", "do", "effect", "else", "empty", "enabled", "eval", "false",
    "fi", "for", "full", "goto", "guard", "hidden", "if", "imply", "init", "inline", "int", "len", "local",
    "ltl", "mtype", "nempty", "never", "nfull", "not", "notrace", "np_", "od", "of", "or", "pc_value", "pid",
    "print", "printf", "printm", "priority", "process", "proctype", "property", "provided", "return", "run",
    "select", "short", "show", "skip", "state", "sync", "system", "timeout", "trace", "trans", "true",
    "typedef", "unless", "unsigned", "xr", "xs",
];

/// Gives each name once.
#[derive(Debug, Default)]
pub(crate) struct Fresh(HashSet<String>);

impl Fresh {
    /// A name like the one that is wanted.
    pub(crate) fn name(&mut self, wanted: &str) -> String {
        let mut name = String::new();
        for c in wanted.chars() {
            match c {
                _ if c.is_ascii_alphanumeric() => name.push(c),
                _ if name.ends_with('_') || name.is_empty() => {}
                _ => name.push('_'),
            }
        }
        let name = name.trim_end_matches('_');
        let name = match name.chars().next() {
            Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
            _ => format!("n{name}"),
        };
        let is_free = |name: &String| !WORDS.contains(&name.as_str()) && !self.0.contains(name);
        let others = (2..).map(|i| format!("{name}_{i}"));
        let name = std::iter::once(name.clone()).chain(others).find(is_free).expect("numbers do not end");
        self.0.insert(name.clone());
        name
    }
}

/// A variable or an array.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) ty: SlotType,
    /// The slots of its elements; one if it is no array.
    pub(crate) slots: Vec<u32>,
    pub(crate) is_array: bool,
}

/// The variables of the system or of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) all: Vec<Named>,
    by_slot: HashMap<u32, (usize, usize)>,
}

impl Names {
    /// Names for declared variables, given all places whose elements are chosen by what is computed.
    pub(crate) fn new(
        variables: &[Variable],
        chosen: &[&Place],
        prefix: &str,
        fresh: &mut Fresh,
    ) -> Result<Self, Refused> {
        let mut names = Names::default();
        let at = |offset: u32| variables.iter().find(|variable| variable.slot.offset == offset);
        for place in chosen {
            let [index] = &*place.indices else {
                return Err(Refused::new("an element is chosen by more than one index"));
            };
            let slots: Vec<u32> = (0..index.bound).map(|i| place.slot.offset + i * index.stride).collect();
            let known = slots.iter().filter_map(|slot| names.by_slot.get(slot)).next();
            if let Some(&(array, _)) = known {
                if names.all[array].slots == slots {
                    continue;
                }
                return Err(Refused::new("two arrays overlap"));
            }
            let Some(first) = at(place.slot.offset) else {
                return Err(Refused::new("an array is no variable"));
            };
            let name = first.name.replacen("[0]", "", 1);
            names.add(fresh.name(&format!("{prefix}{name}")), first.ty.clone(), slots, true);
        }
        for variable in variables {
            if !names.by_slot.contains_key(&variable.slot.offset) {
                let name = fresh.name(&format!("{prefix}{}", variable.name));
                names.add(name, variable.ty.clone(), vec![variable.slot.offset], false);
            }
        }
        Ok(names)
    }

    fn add(&mut self, name: String, ty: SlotType, slots: Vec<u32>, is_array: bool) {
        let own = self.all.len();
        self.by_slot.extend(slots.iter().enumerate().map(|(i, &slot)| (slot, (own, i))));
        self.all.push(Named { name, ty, slots, is_array });
    }

    /// The variable that a slot belongs to, and which element it is.
    pub(crate) fn find(&self, slot: u32) -> Option<(&Named, usize)> {
        self.by_slot.get(&slot).map(|&(variable, element)| (&self.all[variable], element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names() {
        let mut fresh = Fresh::default();
        let named: Vec<String> =
            ["x", "x", "do", "p(1, true)", "7", "", "a[2].f"].iter().map(|name| fresh.name(name)).collect();
        assert_eq!(named, ["x", "x_2", "do_2", "p_1_true", "n7", "n", "a_2_f"]);
    }
}
