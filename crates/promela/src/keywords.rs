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
    form(
        "D_proctype",
        "D_proctype ${1:name}($2) {\n    $0\n}",
        "A process type that never has a choice of steps.",
    ),
    word("_", "A variable that can only be written: takes a field of a message that is of no interest."),
    word("_last", "The number of the process that took the last step."),
    word("_nr_pr", "The number of processes that exist."),
    word("_pid", "The number of the process that asks."),
    word("_priority", "The priority of the process that asks."),
    word("active", "Lets processes of this type exist from the start: one, or as many as `[n]` says."),
    word("always", "In a formula, `[]`: from here on at every step."),
    form("assert", "assert(${1:condition})", "A step that is an error if the condition does not hold."),
    form(
        "atomic",
        "atomic {\n    $0\n}",
        "Steps that no other process interrupts, unless one of them blocks.",
    ),
    word("bit", "A type: 0 or 1."),
    word("bool", "A type: `false` or `true`."),
    word("break", "Leaves the innermost loop."),
    word("byte", "A type: 0 to 255."),
    form("c_code", "c_code { $0 }", "C code as a step; it cannot be checked here."),
    form("c_decl", "c_decl { $0 }", "Declarations of C; they cannot be checked here."),
    form("c_expr", "c_expr { $0 }", "C code as a condition; it cannot be checked here."),
    form(
        "chan",
        "chan ${1:name} = [${2:0}] of { ${3:byte} }",
        "A channel, with the number of messages it holds and the types of their fields; one that holds none passes messages from hand to hand.",
    ),
    form("d_step", "d_step {\n    $0\n}", "Steps that count as one; none but the first may block."),
    form(
        "do",
        "do\n:: ${1:condition} -> $0\nod",
        "A loop: again and again one of its executable options, until `break` or `goto`.",
    ),
    word("else", "Executable if no other option of the same choice is."),
    form("empty", "empty(${1:channel})", "Whether a channel holds no message."),
    form("enabled", "enabled(${1:_pid})", "Whether a process can take a step."),
    word("equivalent", "In a formula, `<->`: both hold or neither does."),
    form("eval", "eval(${1:expression})", "In a receive: matches the value instead of setting a variable."),
    word("eventually", "In a formula, `<>`: at some step from here on."),
    word("false", "The constant 0."),
    word("fi", "The end of an `if`."),
    form(
        "for",
        "for (${1:i} : ${2:0} .. ${3:n}) {\n    $0\n}",
        "Repeats its body for the numbers of a range, both ends included, or for the elements of an array or channel.",
    ),
    form("full", "full(${1:channel})", "Whether a channel can take no further message."),
    form("get_priority", "get_priority(${1:_pid})", "The priority of a process."),
    form("goto", "goto ${1:label}", "Goes on at a label of the same process."),
    word("hidden", "A variable that is no part of the state."),
    form(
        "if",
        "if\n:: ${1:condition} -> $2\n:: else -> $0\nfi",
        "A choice: one of the executable options; it blocks while there is none.",
    ),
    word("implies", "In a formula, `->`: the second holds if the first does."),
    word("in", "In a `for`: over the elements of an array or the messages of a channel."),
    form("init", "init {\n    $0\n}", "The process that exists from the start, the first to be created."),
    form(
        "inline",
        "inline ${1:name}($2) {\n    $0\n}",
        "Statements that stand for each call, arguments in place of parameters.",
    ),
    word("int", "A type: 32 bits with a sign."),
    form("len", "len(${1:channel})", "The number of messages in a channel."),
    word("local", "Promises that only one process uses a global variable."),
    form("ltl", "ltl ${1:name} { $0 }", "A property as a formula of linear temporal logic."),
    form(
        "mtype",
        "mtype = { $0 }",
        "Symbolic constants, or the type of one; `mtype:name` keeps sets of them apart.",
    ),
    form("nempty", "nempty(${1:channel})", "Whether a channel holds a message."),
    form("never", "never {\n    $0\n}", "An automaton for what must not happen."),
    word("next", "In a formula, `X`: at the step after this one."),
    form("nfull", "nfull(${1:channel})", "Whether a channel can take another message."),
    form("notrace", "notrace {\n    $0\n}", "Sends and receives that must not happen in this order."),
    word("np_", "Whether no process is at a `progress` label."),
    word("od", "The end of a `do`."),
    word("of", "Stands before the types of a channel's fields."),
    form("pc_value", "pc_value(${1:_pid})", "The control location of a process, as a number."),
    word("pid", "A type: the number of a process."),
    form("printf", "printf(\"$1\\n\"$2)", "Prints when a model is simulated; a step like any other."),
    form("printm", "printm(${1:name})", "Prints the name of a symbolic constant."),
    form(
        "priority",
        "priority ${1:1}",
        "How urgent a process is: only the most urgent ones that can take a step do.",
    ),
    form(
        "proctype",
        "proctype ${1:name}($2) {\n    $0\n}",
        "A type of process; `run` or `active` creates processes of it.",
    ),
    form(
        "provided",
        "provided (${1:condition})",
        "Lets a process take steps only while the condition holds.",
    ),
    word("release", "In a formula, `V`: the second holds up to and with the step where the first does."),
    form("return", "return ${1:expression}", "Gives a value to an inline that is called as `x = name(...)`."),
    form(
        "run",
        "run ${1:process}($2)",
        "Creates a process; its value is the process's number, or 0 if there are too many.",
    ),
    form(
        "select",
        "select (${1:i} : ${2:0} .. ${3:n})",
        "Sets a variable to any value of a range, both ends included.",
    ),
    form("set_priority", "set_priority(${1:_pid}, ${2:1})", "Changes the priority of a process."),
    word("short", "A type: 16 bits with a sign."),
    word("show", "A variable whose changes are shown in message sequence charts."),
    word("skip", "A step that does nothing; as a value, 1."),
    word("stronguntil", "In a formula, `U`: the first holds until the second does, which comes."),
    word("timeout", "Executable when nothing else is, in any process."),
    form("trace", "trace {\n    $0\n}", "The only order in which these sends and receives may happen."),
    word("true", "The constant 1."),
    form("typedef", "typedef ${1:Name} {\n    $0\n}", "A structure of fields, as a type."),
    form("unless", "unless { $0 }", "Leaves the statement before it as soon as what follows is executable."),
    form("unsigned", "unsigned ${1:name} : ${2:4}", "A type: a number without a sign, of 1 to 31 bits."),
    word("until", "In a formula, `U`: the first holds until the second does, which comes."),
    word("weakuntil", "In a formula, `W`: the first holds until the second does, or for ever."),
    word("xr", "Promises that only this process receives from a channel."),
    word("xs", "Promises that only this process sends to a channel."),
];

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use stubborn_base::Sources;

    use super::*;
    use crate::token::{SPELLINGS, keyword, temporal_word};

    #[test]
    fn in_order_and_told_in_a_sentence() {
        assert!(KEYWORDS.is_sorted_by(|a, b| a.word < b.word));
        assert!(KEYWORDS.iter().all(|k| k.help.ends_with('.') && !k.help.contains('\n')));
    }

    #[test]
    fn all_words_of_the_lexer_and_no_others() {
        let known = |name: &str| KEYWORDS.iter().any(|k| k.word == name);
        for text in SPELLINGS.iter().filter(|text| text.starts_with(char::is_alphabetic)) {
            assert!(known(text), "{text}");
        }
        let elsewhere = ["_", "_last", "_nr_pr", "_pid", "_priority", "c_code", "c_decl", "c_expr", "in"];
        for k in KEYWORDS {
            let meant = keyword(k.word).is_some() || temporal_word(k.word).is_some();
            assert!(meant || elsewhere.contains(&k.word), "{}", k.word);
        }
    }

    /// Where a snippet is a whole item or statement, it is one without errors.
    #[test]
    fn snippets_parse() {
        struct Nothing;
        impl crate::Loader for Nothing {
            fn load(&self, _: &Path, _: &str) -> Option<(PathBuf, Arc<str>)> {
                None
            }
        }
        let fill = |snippet: &str| {
            let mut text = snippet.replace("$0", "skip");
            while let Some(start) = text.find("${") {
                let end = start + text[start..].find('}').unwrap();
                let name = text[start..end].split(':').nth(1).unwrap_or_default().to_owned();
                text.replace_range(start..=end, &name);
            }
            text.replace("$1", "").replace("$2", "")
        };
        for k in KEYWORDS {
            let Some(snippet) = k.snippet else { continue };
            let text = match k.word {
                // C code is reported wherever it stands.
                "c_code" | "c_decl" | "c_expr" => continue,
                "D_proctype" | "init" | "inline" | "ltl" | "never" | "notrace" | "proctype" | "trace"
                | "chan" | "unsigned" => fill(snippet),
                "mtype" => fill(&snippet.replace("$0", "a, b")),
                "typedef" => fill(&snippet.replace("$0", "byte x")),
                "eval" => format!("init {{ q?{} }}", fill(snippet)),
                "return" => format!("inline f() {{ {} }}", fill(snippet)),
                "priority" | "provided" => format!("proctype p() {} {{ skip }}", fill(snippet)),
                "unless" => format!("init {{ {{ skip }} {} }}", fill(snippet)),
                "if" | "do" => format!("init {{\n{}\n}}", fill(&snippet.replace("-> $2", "-> skip"))),
                _ => format!("init {{ {} }}", fill(snippet)),
            };
            let mut sources = Sources::new();
            let parsed = crate::parse(Path::new("m.pml"), text.as_str().into(), &mut sources, &Nothing, &[]);
            assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        }
    }
}
