//! Words of the language, to be offered where one types.

use stubborn_base::outline::Keyword;

const fn word(word: &'static str, help: &'static str) -> Keyword {
    Keyword { word, snippet: None, help }
}

const fn form(word: &'static str, snippet: &'static str, help: &'static str) -> Keyword {
    Keyword { word, snippet: Some(snippet), help }
}

/// All of them, in the order of their letters.
pub const KEYWORDS: &[Keyword] = &[
    form("accept", "accept ${1:proposition};", "States in which the proposition holds are not rejected."),
    word("and", "Both hold; of two sets, what they have in common."),
    form("assert", "assert: ${1:condition};", "It is an error if the condition does not hold."),
    word("bool", "A type: `false` or `true`."),
    form("capacity", "capacity: ${1:1};", "How many of one token there can be at most."),
    form("card", "card (${1:t} in ${2:place} | ${3:condition})", "How many distinct tokens there are."),
    form("case", "case (${1:expression}) {\n   ${2:value}: $0\n}", "A choice by a value."),
    form("constant", "constant ${1:int} ${2:NAME} := ${3:value};", "A value with a name."),
    word("deadlock", "Holds in states in which no transition can fire."),
    form("default", "default: $0", "The alternative for all other values."),
    form("description", "description: \"${1:text}\"${2:, x};", "How Helena shows a firing."),
    form("dom", "dom: ${1:epsilon};", "The types of the components of a place's tokens."),
    word("else", "What is done if the condition does not hold."),
    word("empty", "The list or the set of nothing."),
    form("enum", "enum (${1:a}, ${2:b})", "A type: one of these names."),
    word("epsilon", "A token without components, or their domain."),
    form(
        "exists",
        "exists (${1:t} in ${2:place} | ${3:condition})",
        "Whether there is such a token or value.",
    ),
    word("false", "A truth value."),
    form("for", "for (${1:i} in ${2:type}) $0", "For all values of a variable."),
    form("forall", "forall (${1:t} in ${2:place} : ${3:condition})", "Whether the condition holds of all."),
    form(
        "function",
        "function ${1:name} (${2:int x}) -> ${3:int} {\n   return $0;\n}",
        "Computes a value; it changes nothing.",
    ),
    form("guard", "guard: ${1:condition};", "What must hold for a transition to fire."),
    form("if", "if (${1:condition}) $0", "Only if the condition holds."),
    word("import", "A function that is written in C; not supported."),
    form("in", "in { ${1:place}: <( ${2:x} )>; }", "The tokens that a transition takes."),
    form("inhibit", "inhibit { ${1:place}: <( ${2:x} )>; }", "Tokens that keep a transition from firing."),
    form("init", "init: <( ${1:value} )>;", "The tokens that are in a place at the beginning."),
    word("int", "A type: numbers of 32 bits."),
    form("let", "let { ${1:int} ${2:y} := ${3:expression}; }", "Names for expressions of a transition."),
    form("list", "list [${1:nat}] of ${2:int} with capacity ${3:10}", "A type: sequences of limited length."),
    form("ltl", "ltl property ${1:name}: [] $0;", "A property of all runs."),
    form("max", "max (${1:t} in ${2:place} : ${3:t->1})", "The greatest of some values."),
    form("min", "min (${1:t} in ${2:place} : ${3:t->1})", "The least of some values."),
    form("mod", "mod ${1:N}", "A type: numbers from 0 that begin again at the end."),
    form("mult", "mult (${1:t} in ${2:place} | ${3:condition})", "How many tokens there are."),
    word("nat", "A type: numbers from 0."),
    word("not", "Negation."),
    word("of", "Stands before the type of elements."),
    word("or", "At least one holds; of two sets, what is in one of them."),
    form("out", "out { ${1:place}: <( ${2:x} )>; }", "The tokens that a transition puts."),
    form("pick", "pick { ${1:x} in ${2:type}; }", "Variables whose values are chosen freely."),
    form("place", "place ${1:name} { dom: ${2:epsilon}; }", "A place, with the domain of its tokens."),
    word("pred", "The value before; of the first of an enumeration the last."),
    form("priority", "priority: ${1:0};", "Of all that could fire, the highest priority does."),
    form("product", "product (${1:t} in ${2:place} : ${3:t->1})", "The product of some numbers."),
    word("property", "Follows `state` or `ltl`."),
    form("proposition", "proposition ${1:name}: $0;", "What holds or not in a state."),
    form("range", "range ${1:1} .. ${2:N}", "A type, or a part of one: values from one to another."),
    form("reject", "reject ${1:deadlock};", "States that there must not be."),
    form("return", "return $0;", "The result of a function."),
    form("safe", "safe;", "Says that nothing keeps the transition from firing once it can."),
    form("set", "set of ${1:int} with capacity ${2:10}", "A type: sets of limited size."),
    word("short", "A type: numbers of 16 bits."),
    form("state", "state property ${1:name}: reject ${2:deadlock};", "A property of all states."),
    form("struct", "struct { ${1:int} ${2:a}; }", "A type: values of several types together."),
    form("subtype", "subtype ${1:name}: ${2:int} range ${3:0} .. ${4:9};", "A part of a type."),
    word("succ", "The value after; of the last of an enumeration the first."),
    form("sum", "sum (${1:t} in ${2:place} : ${3:t->1})", "The sum of some numbers."),
    form(
        "transition",
        "transition ${1:name} {\n   in { ${2:place}: <( ${3:x} )>; }\n   out { $0 }\n}",
        "Takes tokens and puts tokens.",
    ),
    word("true", "A truth value."),
    form("type", "type ${1:name}: $0;", "A type of values; in a place, what the place is for."),
    word("until", "In a formula: the first holds until the second does, which it does at some time."),
    word("ushort", "A type: numbers of 16 bits without a sign."),
    form("vector", "vector [${1:index}] of ${2:int}", "A type: a value for each index."),
    form("while", "while (${1:condition}) $0", "As long as the condition holds."),
    word("with", "Stands before `capacity` in a type."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use stubborn_base::FileId;

    #[test]
    fn all_keywords_are_there_in_order() {
        assert!(KEYWORDS.windows(2).all(|pair| pair[0].word < pair[1].word));
        for keyword in KEYWORDS {
            assert_eq!(lex(FileId(0), keyword.word, &[]).tokens.len(), 1);
            assert!(
                keyword.snippet.is_none_or(|snippet| snippet.starts_with(keyword.word)),
                "{}",
                keyword.word
            );
        }
    }
}
