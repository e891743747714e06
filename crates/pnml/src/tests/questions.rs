//! Property files.

use stubborn_ir::{BinaryOp, ClaimBody, ClaimKind, Expr};
use stubborn_ltl::Formula as Ltl;
use stubborn_nets::{PlaceId, TransId};

use super::{check_with, plain};
use crate::{Atoms, Number, Property, StateFormula, Statement, claims};

const NET: &str = r#"<place id="p"><name><text>first</text></name></place><place id="q"/>
    <transition id="t"/><transition id="u"/>"#;

fn set(formulas: &[&str]) -> String {
    let property = |(at, formula): (usize, &&str)| {
        format!(
            "<property><id>N-LTLCardinality-{at:02}</id><description/><formula>{formula}</formula></property>"
        )
    };
    let properties: String = formulas.iter().enumerate().map(property).collect();
    format!("<property-set xmlns=\"http://mcc.lip6.fr/\">{properties}</property-set>")
}

fn read(formulas: &[&str]) -> (Vec<Property>, Vec<(&'static str, String)>) {
    let read = check_with(&plain(NET), vec![("LTLCardinality.xml", set(formulas))]);
    let found = read.diagnostics.iter().map(|d| (d.code, read.sources.text(d.span).to_owned())).collect();
    (read.properties, found)
}

const SOME: &str = "<integer-le><integer-constant>1</integer-constant><tokens-count><place>p</place><place>q</place></tokens-count></integer-le>";
const FIRES: &str = "<is-fireable><transition>u</transition><transition>t</transition></is-fireable>";

/// A file of two properties.
pub(super) fn example() -> String {
    let until = format!("<until><before>{SOME}</before><reach><negation>{SOME}</negation></reach></until>");
    set(&[
        &format!("<all-paths><conjunction>{until}{SOME}</conjunction></all-paths>"),
        "<exists-path><finally><deadlock/></finally></exists-path>",
    ])
}

#[test]
fn statements() {
    let (properties, wrong) = read(&[
        &format!("<exists-path><finally>{SOME}</finally></exists-path>"),
        &format!("<all-paths><globally><negation>{FIRES}</negation></globally></all-paths>"),
        &format!("<all-paths><finally>{SOME}</finally></all-paths>"),
    ]);
    assert_eq!(wrong, []);
    let names: Vec<&str> = properties.iter().map(|p| &*p.name).collect();
    assert_eq!(names, ["LTLCardinality-00", "LTLCardinality-01", "LTLCardinality-02"]);
    let sum = Number::Tokens(vec![PlaceId(0), PlaceId(1)]);
    let some = StateFormula::AtMost(Number::Constant(1), sum);
    assert_eq!(properties[0].statement, Statement::Reachable(some));
    let fires = StateFormula::Fireable(vec![TransId(0), TransId(1)]);
    assert_eq!(properties[1].statement, Statement::Invariant(StateFormula::Not(Box::new(fires))));
    assert!(matches!(properties[2].statement, Statement::Ltl(_)));
}

#[test]
fn propositions_are_maximal_and_shared() {
    let until = format!("<until><before>{SOME}</before><reach><negation>{SOME}</negation></reach></until>");
    let formula = format!(
        "<all-paths><conjunction>{SOME}{until}{FIRES}<next><disjunction>{SOME}<deadlock/></disjunction></next></conjunction></all-paths>"
    );
    let (properties, wrong) = read(&[&formula]);
    assert_eq!(wrong, []);
    let mut atoms = Atoms {
        count: &mut |place| Expr::Const(10 + place.0 as i32),
        fireable: &mut |transition| Expr::Const(20 + transition.0 as i32),
        n_transitions: 2,
    };
    let stated = claims(&properties, &mut atoms);
    let [(0, claim)] = &*stated.claims else { panic!("{stated:?}") };
    let ClaimBody::Formula(body) = &claim.body else { panic!("{claim:?}") };
    assert_eq!((claim.kind, body.extends_finite_runs), (ClaimKind::Ltl, true));
    let [both, some, either] = [0, 1, 2].map(Ltl::atom);
    let until = some.clone().until(some.negated());
    assert_eq!(body.formula, both.and(until).and(either.next()));
    let op = |op, left, right| Expr::binary(op, left, right);
    let c = Expr::Const;
    let some = op(BinaryOp::Le, c(1), op(BinaryOp::Add, c(10), c(11)));
    let fires = op(BinaryOp::Or, c(20), c(21));
    let both = op(BinaryOp::And, some.clone(), fires.clone());
    let either = op(BinaryOp::Or, some.clone(), fires.not());
    assert_eq!(body.propositions, [both, some, either]);
}

#[test]
fn mistakes_in_formulas() {
    let atom = |place: &str| {
        format!(
            "<integer-le><tokens-count><place>{place}</place></tokens-count><integer-constant>2</integer-constant></integer-le>"
        )
    };
    let (properties, wrong) = read(&[
        &format!("<all-paths><globally>{}</globally></all-paths>", atom("first")),
        &format!("<all-paths><globally>{}</globally></all-paths>", atom("nowhere")),
        "<all-paths><globally><is-fireable><transition>p</transition></is-fireable></globally></all-paths>",
        &format!("<exists-path><globally>{SOME}</globally></exists-path>"),
        &format!("<all-paths><globally><exists-path>{SOME}</exists-path></globally></all-paths>"),
        "<all-paths><globally><integer-le><integer-constant>x</integer-constant></integer-le></globally></all-paths>",
    ]);
    let text = |text: &str| text.to_owned();
    assert_eq!(
        wrong,
        [
            ("undeclared", text("nowhere")),
            ("undeclared", text("p")),
            ("unsupported", text("<exists-path>")),
            ("unsupported", text("<exists-path>")),
            ("syntax", text("x")),
        ]
    );
    assert_eq!(properties.len(), 1, "a name that one place has will do");
}

#[test]
fn all_connectives() {
    let pair = |operator: &str| {
        format!("<all-paths><finally><{operator}>{SOME}{FIRES}</{operator}></finally></all-paths>")
    };
    let (properties, wrong) = read(&[
        &pair("exclusive-disjunction"),
        &pair("implication"),
        &pair("equivalence"),
        &pair("disjunction"),
    ]);
    assert_eq!((properties.len(), wrong), (4, vec![]));
}
