//! Guards as text, in the notations of the output formats.

use crate::{Cube, Guard};

/// How a notation writes Boolean operators.
pub(crate) struct Notation {
    pub(crate) always: &'static str,
    pub(crate) never: &'static str,
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
    /// Whether conjunctions beside a disjunction need parentheses.
    pub(crate) is_careful: bool,
}

/// Promela's notation, which people read, too.
const PROMELA: Notation =
    Notation { always: "true", never: "false", and: " && ", or: " || ", is_careful: true };

impl Guard {
    /// The guard as a Promela expression, given the propositions' texts.
    pub fn to_promela<S: AsRef<str>>(&self, propositions: &[S]) -> String {
        self.text(&PROMELA, &|proposition| operand(propositions[proposition].as_ref()))
    }

    pub(crate) fn text(&self, notation: &Notation, name: &dyn Fn(usize) -> String) -> String {
        match self.cubes[..] {
            [] => notation.never.to_owned(),
            [cube] => cube_text(cube, notation, name),
            _ => {
                let cubes = self.cubes.iter().map(|&cube| {
                    let text = cube_text(cube, notation, name);
                    let is_bare = !notation.is_careful || cube.literals().count() < 2;
                    if is_bare { text } else { format!("({text})") }
                });
                cubes.collect::<Vec<_>>().join(notation.or)
            }
        }
    }
}

fn cube_text(cube: Cube, notation: &Notation, name: &dyn Fn(usize) -> String) -> String {
    if cube == Cube::default() {
        return notation.always.to_owned();
    }
    let literal = |(proposition, holds): (usize, bool)| {
        format!("{}{}", if holds { "" } else { "!" }, name(proposition))
    };
    cube.literals().map(literal).collect::<Vec<_>>().join(notation.and)
}

/// A proposition where an operand is expected: in parentheses unless it is a name.
fn operand(text: &str) -> String {
    if is_name(text) { text.to_owned() } else { format!("({text})") }
}

/// Whether a proposition is a name and not an expression.
pub(crate) fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
