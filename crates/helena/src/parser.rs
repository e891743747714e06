//! From text to tree. Parsing never fails: what cannot be read is reported and left out.

use std::ops::Range;

use hashbrown::HashSet;
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, FileId};

use crate::ast::Program;
use crate::items::split;
use crate::lexer::{Lexed, lex};
use crate::recover;
use crate::token::{Kind, Token};

/// A file as it was parsed.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub program: Program,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Names in definitions that could not be read.
    pub lost: HashSet<SmolStr>,
    /// Tokens, comments and directives.
    pub lexed: Lexed,
    /// Where definitions stand among the tokens.
    pub items: Vec<Range<usize>>,
}

/// Parses a file; `defined` are the symbols that directives can ask for.
pub fn parse(file: FileId, text: &str, defined: &[&str]) -> Parsed {
    let mut lexed = lex(file, text, defined);
    let mut diagnostics = std::mem::take(&mut lexed.diagnostics);
    let tokens = &lexed.tokens;
    let mut split = split(tokens);
    diagnostics.append(&mut split.diagnostics);

    let mut program = Program::default();
    let mut lost = HashSet::new();
    if let Some(range) = split.head {
        program.head = recover::head(&tokens[range], text, &mut diagnostics);
    }
    for range in &split.items {
        let tokens = &tokens[range.clone()];
        let n_before = diagnostics.len();
        let item = recover::item(tokens, text, &mut diagnostics);
        if item.is_none() || diagnostics.len() > n_before {
            lost.extend(declared(tokens, item.is_some()).map(|t| SmolStr::from(&text[t.span.range()])));
        }
        program.items.extend(item);
    }
    Parsed { program, diagnostics, lost, lexed, items: split.items }
}

/// Names that a definition with errors may declare: nobody need complain of them again.
fn declared(tokens: &[Token], is_read: bool) -> impl Iterator<Item = &Token> {
    let is_name = |t: &&Token| t.kind == Kind::Name;
    // The name of a definition that was read is known; names inside of it may be lost.
    tokens.iter().filter(is_name).skip(usize::from(is_read))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Item;

    fn parsed(text: &str) -> (usize, Vec<String>) {
        let parsed = parse(FileId(0), text, &[]);
        (parsed.program.items.len(), parsed.diagnostics.into_iter().map(|d| d.message).collect())
    }

    #[test]
    fn definitions_of_all_kinds() {
        let text = "n (A := 1, B := 2) {
            type r: range 1 .. A + 2; type m: mod 3; type e: enum (a, b); subtype s: int range 0 .. 3;
            type v: vector [m, e] of bool; type st: struct { int i; bool b; };
            type l: list [nat] of int with capacity 4; type se: set of e with capacity 2;
            constant int C := -A * 2 + B % 3;
            function f (int x, bool b) -> int;
            function f (int x, bool b) -> int {
                int y := x; constant int z := 2; st w;
                if (b) if (x > 1) return 1; else y := 2;
                case (x) { 1 : return 2; 2 : { y := 3; } default : return f(x - 1, not b); }
                while (y < 3) y := y + 1;
                for (i in int range 1 .. 3, j in e) { w.i := i; }
                assert: y = 3;
                return (b and x in |1, 2|) ? y : x;
            }
            import function g () -> int;
            place p { dom: int * bool; init: 2 * <( 1, true )> + for (i in m) if (i > 0) <( i, false )>;
                      capacity: 3; type: process; }
            place q { dom: epsilon; init: (A - 1) * epsilon; }
            transition t {
                in { p: <( x, y )>; q: 2 * epsilon; } out { p: <( succ x, w :: ([1] := 2), e'last )>; }
                inhibit { q: 3 * epsilon; } pick { z in m range 1 .. 2; k in s - a; }
                let { int u := l[1 .. 2]'size; }
                guard: not y; priority: 1; safe; description: \"%d\", x;
            }
            proposition ok: forall (t in p | t->2 : t->1 = 1) or card (t in p) > p'card;
        }
        state property s: reject deadlock; accept ok;
        ltl property l: [] (ok => <> not ok until state);";
        assert_eq!(parsed(text), (18, vec![]));
    }

    #[test]
    fn several_errors_in_a_file() {
        let text = "n {
            type t: range 1 .. ;
            place p { dom: t; init <( 1 )>; capacity: 2; }
            transition u { in { p: <( x )>; p q; } out { p: x; } guard: x > 1 }
            place q { dom: t; capacity: 2;
            place r { dom: t }
            foo bar;
            proposition ok: 1 = ;
        }";
        let (n_items, messages) = parsed(text);
        assert_eq!(n_items, 4, "{messages:#?}");
        assert_eq!(messages.len(), 9, "{messages:#?}");
    }

    #[test]
    fn what_stands_around_an_error_is_kept() {
        let text = "n { transition u { in { p: <( x )>; q <( y )>; r: <( z )>; } out { } } }";
        let parsed = parse(FileId(0), text, &[]);
        assert_eq!(parsed.diagnostics.len(), 1, "{:?}", parsed.diagnostics);
        let Item::Transition(t) = &parsed.program.items[0] else { panic!() };
        let crate::ast::TransitionPartKind::In(arcs) = &t.parts[0].kind else { panic!() };
        assert_eq!(arcs.len(), 2);
    }

    #[test]
    fn nothing_makes_it_fail() {
        for text in
            ["", "}", "{", "n", "n {", "n }", "place", "n { place", "n { place p { dom: {{{ } }", "n (", "@"]
        {
            parse(FileId(0), text, &[]);
        }
        let deep = format!("n {{ constant int C := {}1; }}", "(".repeat(100_000));
        assert_eq!(parsed(&deep).0, 0);
        let long = format!("n {{ constant int C := 1{}; }}", "+1".repeat(100_000));
        assert_eq!(parsed(&long).0, 0);
    }
}
