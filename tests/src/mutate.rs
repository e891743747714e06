//! Breaks texts: bytes flipped, words deleted, doubled, swapped or replaced, ends cut off.

use stubborn_languages::Language;

use crate::generate::Random;

/// Words that mean something in a language, for mutations that get past the lexer.
pub fn words(language: &Language) -> Vec<&'static str> {
    let keywords = language.keywords.iter().map(|keyword| keyword.word);
    match language.name {
        "promela" => PROMELA.to_vec(),
        "pnml" => keywords.chain(XML.iter().copied()).collect(),
        _ => keywords.chain(MARKS.iter().copied()).collect(),
    }
}

/// Marks of languages that look like C, and numbers.
const MARKS: &[&str] = &[
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "!",
    "?",
    "<",
    ">",
    "<(",
    ")>",
    "==",
    "!=",
    ":=",
    "::",
    "..",
    "'",
    ":",
    ",",
    ".",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "|",
    "&",
    "\"",
    "/*",
    "*/",
    "//",
    "#ifdef",
    "#endif",
    "0",
    "1",
    "255",
    "256",
    "2147483648",
    "99999999999999999999",
    "[]",
    "<>",
    "=>",
    "\u{e9}",
    "\u{0}",
    "\u{1f600}",
    "\n",
];

/// Marks of XML, and elements that list no keywords.
const XML: &[&str] = &[
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "&lt;",
    "&",
    "\"",
    "'",
    "=",
    "id",
    "source",
    "target",
    "declaration",
    "<pnml>",
    "</net>",
    "<place>",
    "<arc",
    "<text>",
    "</text>",
    "0",
    "1",
    "-1",
    "4294967296",
    "99999999999999999999",
    "\u{e9}",
    "\u{0}",
    "\u{1f600}",
    "\n",
];

/// Words and marks of Promela.
const PROMELA: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "chan",
    "d_step",
    "do",
    "od",
    "else",
    "empty",
    "enabled",
    "eval",
    "fi",
    "full",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "of",
    "pid",
    "printf",
    "priority",
    "proctype",
    "provided",
    "run",
    "select",
    "for",
    "in",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "notrace",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "c_code",
    "c_expr",
    "c_decl",
    "c_track",
    "_pid",
    "_nr_pr",
    "_last",
    "np_",
    "pc_value",
    "#define",
    "#include",
    "#if",
    "#ifdef",
    "#else",
    "#endif",
    "#undef",
    "#elif",
    "##",
    "#",
    "\\\n",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "!",
    "!!",
    "?",
    "??",
    "?<",
    "<",
    ">",
    ">>",
    "<<",
    "==",
    "!=",
    "&&",
    "||",
    "++",
    "--",
    "..",
    "@",
    ":",
    ",",
    ".",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "~",
    "^",
    "|",
    "&",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "0",
    "1",
    "255",
    "256",
    "2147483648",
    "99999999999999999999",
    "[0] of",
    "ltl p {",
    "[]",
    "<>",
    "U",
    "\u{e9}",
    "\u{0}",
    "\u{1f600}",
    "\n",
];

/// A mutation of the text, by so many small changes that may put these words.
pub fn mutate(text: &str, words: &[&'static str], random: &mut Random, n_changes: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..n_changes {
        change(&mut bytes, words, random);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change(bytes: &mut Vec<u8>, words: &[&'static str], random: &mut Random) {
    let word = |random: &mut Random| *random.pick(words).expect("there are words");
    if bytes.is_empty() {
        bytes.extend(word(random).bytes());
        return;
    }
    let (start, end) = word_at(bytes, random.below(bytes.len()));
    match random.below(9) {
        0 => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        1 | 2 => {
            bytes.drain(start..end);
        }
        3 => {
            let copy: Vec<u8> = bytes[start..end].iter().copied().chain([b' ']).collect();
            bytes.splice(start..start, copy);
        }
        4 => {
            let (other_start, other_end) = word_at(bytes, random.below(bytes.len()));
            let (first, second) = if start < other_start {
                ((start, end), (other_start, other_end))
            } else {
                ((other_start, other_end), (start, end))
            };
            if first.1 <= second.0 {
                let (left, right) = (bytes[first.0..first.1].to_vec(), bytes[second.0..second.1].to_vec());
                bytes.splice(second.0..second.1, left);
                bytes.splice(first.0..first.1, right);
            }
        }
        5 => {
            bytes.splice(start..end, word(random).bytes());
        }
        6 => {
            let text = format!(" {} ", word(random));
            bytes.splice(start..start, text.bytes());
        }
        7 => {
            let to = (start + 1 + random.below(200)).min(bytes.len());
            bytes.drain(start..to);
        }
        _ if random.percent(20) => bytes.truncate(start),
        _ => {
            let to = (start + 1 + random.below(80)).min(bytes.len());
            let copy = bytes[start..to].to_vec();
            let at = random.below(bytes.len());
            bytes.splice(at..at, copy);
        }
    }
}

/// The bounds of the word, or of the single character, around a byte.
fn word_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !is_part(bytes[at]) {
        return (at, at + 1);
    }
    let start = bytes[..at].iter().rposition(|&byte| !is_part(byte)).map_or(0, |found| found + 1);
    let end = bytes[at..].iter().position(|&byte| !is_part(byte)).map_or(bytes.len(), |found| at + found);
    (start, end)
}
