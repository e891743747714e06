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
        "accept",
        "accept ${1:state};",
        "States that a run must not pass for ever, in the property process.",
    ),
    word("and", "Both hold. Binds as `or` does, from left to right."),
    form(
        "assert",
        "assert ${1:state}: ${2:condition};",
        "What must hold whenever the process is at a state.",
    ),
    form("async", "async;", "One process moves at a time, or two that synchronise."),
    word("byte", "A number from 0 to 255."),
    form("channel", "channel ${1:name};", "Where two processes synchronise, or what holds messages."),
    form("commit", "commit ${1:state};", "States that are left before any process elsewhere moves."),
    form("const", "const ${1:byte} ${2:name} = ${3:0};", "A value that never changes."),
    form("effect", "effect ${1:x} = ${2:0};", "What a transition sets, one after the other."),
    word("false", "0."),
    form("guard", "guard ${1:condition};", "What must hold for a transition to be taken."),
    word("imply", "If the first holds, so does the second."),
    form("init", "init ${1:state};", "Where the process begins."),
    word("int", "A number from -32768 to 32767."),
    word("not", "Does not hold."),
    word("or", "At least one holds. Binds as `and` does, from left to right."),
    form(
        "process",
        "process ${1:P} {\n    state ${2:s};\n    init ${2:s};\n    trans\n        ${2:s} -> ${2:s} { $0 };\n}",
        "A process of the system.",
    ),
    form("property", "property ${1:P};", "The process that watches the others, and must accept no run."),
    form("state", "state ${1:s};", "The states of a process."),
    form(
        "sync",
        "sync ${1:channel}${2:!};",
        "Synchronises with another process: `c!x` sends, `c?x` receives.",
    ),
    form("system", "system async;", "How the processes make a system."),
    form("trans", "trans\n    ${1:s} -> ${2:t} { $0 };", "The transitions of a process, separated by `,`."),
    word("true", "1."),
];
