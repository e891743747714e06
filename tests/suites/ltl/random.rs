//! Random formulas on random words.

use libtest_mimic::Failed;
use stubborn_ltl::{
    Buchi, Class, Dfa, Error, Formula, Language, Lasso, MAX_TABLE_STATES, Proposition, StutterInvariance,
    Table, Trivial, evaluate,
};
use stubborn_tests::generate::{self, Random};
use stubborn_tests::lasso::{accepts, are_stutter_equivalent};

/// One in so many formulas is asked for more than its automaton.
const CLOSER_LOOK: u64 = 5;

/// What is said of each formula of these seeds is held against its evaluation.
pub(crate) fn batch(first: u64, last: u64) -> Result<(), Failed> {
    for seed in first..last {
        let mut random = Random::new(seed);
        let n_propositions = 1 + random.below(4);
        let size = 1 + random.below(14);
        let formula = generate::formula(&mut random, size, n_propositions);
        let words: Vec<Lasso> = (0..6).map(|_| generate::lasso(&mut random, n_propositions, 4)).collect();
        let result = automata(&formula, &words).and_then(|()| {
            if seed % CLOSER_LOOK == 0 { closer(&formula, &words, &mut random) } else { Ok(()) }
        });
        result.map_err(|error| format!("seed {seed}: {}: {error}", shown(&formula)))?;
    }
    Ok(())
}

fn shown(formula: &Formula) -> String {
    formula.display(&|proposition: Proposition| format!("p{}", proposition.0)).to_string()
}

fn holds(formula: &Formula, word: &Lasso) -> bool {
    evaluate(formula, &word.prefix, &word.cycle)
}

/// The automata of a formula and of its negation accept what they should.
fn automata(formula: &Formula, words: &[Lasso]) -> Result<(), String> {
    let mut language = Language::of(formula, &|| false).map_err(|error| error.to_string())?;
    let positive = language.buchi().map_err(|error| error.to_string())?;
    let mut complement = language.complement().map_err(|error| error.to_string())?;
    let negative = complement.buchi().map_err(|error| error.to_string())?;
    for word in words {
        let expected = holds(formula, word);
        if accepts(&positive, word) != expected {
            return Err(format!("its automaton is wrong on {word:?}"));
        }
        if accepts(&negative, word) == expected {
            return Err(format!("the automaton of its negation is wrong on {word:?}"));
        }
    }
    Ok(())
}

fn closer(formula: &Formula, words: &[Lasso], random: &mut Random) -> Result<(), String> {
    let mut language = Language::of(formula, &|| false).map_err(|error| error.to_string())?;
    let stutter_invariance = language.stutter_invariance();
    stuttering(formula, &stutter_invariance, words, random)?;
    let automaton = language.buchi().map_err(|error| error.to_string())?;
    by_letter(&automaton, formula.n_propositions(), stutter_invariance == StutterInvariance::Invariant)?;
    trivial(formula, language.trivial(), words)?;
    let class = language.class().map_err(|error| error.to_string())?;
    let negation = formula.clone().negated();
    let dual = stubborn_ltl::classify(&negation);
    let is_consistent = match class {
        Class::Safety => matches!(dual, Class::Safety | Class::Guarantee),
        Class::Guarantee => dual == Class::Safety,
        other => dual == other,
    };
    if !is_consistent {
        return Err(format!("it is {class:?} and its negation is {dual:?}"));
    }
    match language.bad_prefixes() {
        None if class != Class::Safety => Ok(()),
        Some(Ok(dfa)) if class == Class::Safety => bad_prefixes(formula, &dfa, words),
        other => Err(format!("it is {class:?} and its bad prefixes are {other:?}")),
    }
}

/// Whether repetitions matter is the same if only the automaton is known.
fn by_letter(automaton: &Buchi, n_propositions: usize, is_invariant: bool) -> Result<(), String> {
    let to = |state, letter| automaton.successors(state, letter).fold(0, |set, target| set | 1 << target);
    let states = 0..automaton.states.len();
    if states.len() > MAX_TABLE_STATES {
        return Ok(());
    }
    let row = |letter| states.clone().map(|state| to(state, letter)).collect();
    let accepting = automaton.states.iter().map(|state| state.accepting).collect();
    let moves = (0..1 << n_propositions).map(row).collect();
    let table = Table { initial: automaton.initial, accepting, moves };
    match table.is_stutter_invariant(&|| false) {
        Ok(answer) if answer == is_invariant => Ok(()),
        Err(Error::TooLarge) => Ok(()),
        answer => Err(format!("by its automaton it is stutter-invariant: {answer:?}, and not by itself")),
    }
}

fn trivial(formula: &Formula, trivial: Option<Trivial>, words: &[Lasso]) -> Result<(), String> {
    let always = match trivial {
        None => return Ok(()),
        Some(Trivial::Valid) => true,
        Some(Trivial::Unsatisfiable) => false,
    };
    match words.iter().find(|word| holds(formula, word) != always) {
        None => Ok(()),
        Some(word) => Err(format!("it is {trivial:?}, but not on {word:?}")),
    }
}

fn stuttering(
    formula: &Formula,
    answer: &StutterInvariance,
    words: &[Lasso],
    random: &mut Random,
) -> Result<(), String> {
    match answer {
        StutterInvariance::Unknown => Err("its stutter-invariance is not decided".into()),
        StutterInvariance::Invariant => {
            for word in words {
                let stretched = stretched(word, random);
                if holds(formula, word) != holds(formula, &stretched) {
                    return Err(format!("it tells {word:?} from {stretched:?}"));
                }
            }
            Ok(())
        }
        StutterInvariance::Sensitive(witness) => {
            let is_right = holds(formula, &witness.satisfying)
                && !holds(formula, &witness.violating)
                && are_stutter_equivalent(&witness.satisfying, &witness.violating);
            if is_right { Ok(()) } else { Err(format!("{witness:?} is no witness")) }
        }
    }
}

/// Each letter repeated up to three times; the cycle possibly unrolled.
fn stretched(word: &Lasso, random: &mut Random) -> Lasso {
    let mut repeat = |letters: &[u64]| {
        letters.iter().flat_map(|&letter| vec![letter; 1 + random.below(3)]).collect::<Vec<_>>()
    };
    let mut prefix = repeat(&word.prefix);
    prefix.extend(repeat(&word.cycle));
    Lasso { prefix, cycle: repeat(&word.cycle) }
}

/// Whatever follows a bad prefix, the formula is violated; and each violation has a bad prefix.
fn bad_prefixes(formula: &Formula, dfa: &Dfa, words: &[Lasso]) -> Result<(), String> {
    for word in words {
        // A run that comes to the end of the cycle in more states than there are has been there before.
        let mut letters = word.prefix.clone();
        (0..=dfa.states.len()).for_each(|_| letters.extend(&word.cycle));
        let first_bad = (0..=letters.len()).find(|&n| dfa.is_bad(&letters[..n]));
        if first_bad.is_some() == holds(formula, word) {
            return Err(format!("the bad prefix of {word:?} ends at {first_bad:?}"));
        }
        let Some(end) = first_bad else { continue };
        for continuation in words {
            let prefix = [&letters[..end], &continuation.prefix].concat();
            if evaluate(formula, &prefix, &continuation.cycle) {
                return Err(format!("{:?} is no bad prefix: {continuation:?} saves it", &letters[..end]));
            }
        }
        if !dfa.is_bad(&letters) {
            return Err(format!("{letters:?} is saved by its end"));
        }
    }
    Ok(())
}
