//! Tests of the layout.

use super::*;
use crate::corpus::corpus;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(format(text).expect("it has no errors"), expected);
    assert_eq!(format(expected).as_deref(), Some(expected), "once is as good as twice");
}

#[test]
fn blocks_are_indented() {
    check(
        "byte  x=- 1 ,a [ 2 ]={1 ,2};channel{byte,int}c[ 3 ] , d[0];\n\n\n\nprocess P{\nbyte y;// its own\nstate s,t;init s;\ntrans\ns->t{guard x>0&&\nnot(P . s)or P -> y==-x;sync c!{x,- 1};effect x=x+1 ,y=~ 0;},\n\n/* on */ t->s{\nsync c?{x,y};\n},\n->t{};\n}\nsystem async;\n",
        "byte x = -1, a[2] = {1, 2}; channel {byte, int} c[3], d[0];\n\n\
         process P {\n    byte y; // its own\n    state s, t; init s;\n    trans\n        \
         s -> t { guard x > 0 &&\n                not (P.s) or P->y == -x; sync c!{x, -1}; effect x = x + 1, y = ~0; },\n\n        \
         /* on */ t -> s {\n            sync c?{x, y};\n        },\n        -> t {};\n}\nsystem async;\n",
    );
}

#[test]
fn lines_stay_and_carriage_returns_too() {
    check(
        "process P\r\n{ state s; init s; }\r\nsystem async;",
        "process P\r\n{ state s; init s; }\r\nsystem async;\r\n",
    );
    check("", "");
    check("// only\n", "// only\n");
}

#[test]
fn errors_stand_in_the_way() {
    for text in
        ["byte x", "process P { state s", "/* open", "byte #;", "process P { trans a -> b { guard; }; }"]
    {
        assert_eq!(format(text), None, "{text}");
    }
}

/// Tokens and comments, without spaces at the ends of comments.
fn essence(text: &str) -> Vec<(Kind, String)> {
    lexemes(text).iter().map(|l| (l.kind, l.text(text).trim_end().to_owned())).collect()
}

#[test]
fn nothing_is_lost_in_real_models() {
    for (path, text) in corpus() {
        let laid_out = format(&text).unwrap_or_else(|| panic!("{}", path.display()));
        assert_eq!(essence(&laid_out), essence(&text), "{}", path.display());
        assert_eq!(format(&laid_out).as_ref(), Some(&laid_out), "{}", path.display());
    }
}
