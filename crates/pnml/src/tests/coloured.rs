//! Symmetric nets: sorts, terms, multisets, conditions.

use stubborn_nets::{Addend, Domain, Expression, Net, PlaceId, TransId, Value, VariableId};

use super::{net, sound};
use crate::Term;

const SORTS: &str = r#"
<namedsort id="C" name="C"><cyclicenumeration>
  <feconstant id="c1" name="red"/><feconstant id="c2" name="green"/><feconstant id="c3" name="blue"/>
</cyclicenumeration></namedsort>
<namedsort id="R" name="R"><finiteintrange start="2" end="4"/></namedsort>
<namedsort id="D" name="D"><dot/></namedsort>
<namedsort id="CR" name="CR"><productsort><usersort declaration="C"/><usersort declaration="R"/></productsort></namedsort>
<partition id="P" name="P"><usersort declaration="C"/>
  <partitionelement id="warm" name="warm"><useroperator declaration="c1"/></partitionelement>
  <partitionelement id="cold" name="cold"><useroperator declaration="c2"/><useroperator declaration="c3"/></partitionelement>
</partition>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
<variabledecl id="n" name="n"><usersort declaration="R"/></variabledecl>
<variabledecl id="both" name="both"><usersort declaration="CR"/></variabledecl>"#;

pub(super) fn place(id: &str, sort: &str, marking: &str) -> String {
    let marking = if marking.is_empty() {
        String::new()
    } else {
        format!("<hlinitialMarking><structure>{marking}</structure></hlinitialMarking>")
    };
    let sort = format!("<type><structure><usersort declaration=\"{sort}\"/></structure></type>");
    format!("<place id=\"{id}\">{sort}{marking}</place>")
}

pub(super) fn arc(source: &str, target: &str, term: &str) -> String {
    let inscription = format!("<hlinscription><structure>{term}</structure></hlinscription>");
    format!("<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\">{inscription}</arc>")
}

pub(super) fn of(operator: &str, operands: &[&str]) -> String {
    let operands: Vec<String> =
        operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{operator}>{}</{operator}>", operands.concat())
}

pub(super) fn times(n: u32, term: &str) -> String {
    let n = format!("<numberconstant value=\"{n}\"><positive/></numberconstant>");
    of("numberof", &[&n, term])
}

pub(super) fn coloured(page: &str) -> String {
    net("symmetricnet", SORTS, page)
}

const X: &str = r#"<variable refvariable="x"/>"#;
const N: &str = r#"<variable refvariable="n"/>"#;
const RED: &str = r#"<useroperator declaration="c1"/>"#;
const BLUE: &str = r#"<useroperator declaration="c3"/>"#;
const ALL_C: &str = r#"<all><usersort declaration="C"/></all>"#;
const ALL_R: &str = r#"<all><usersort declaration="R"/></all>"#;

fn int(numbers: &[i64]) -> Value {
    Value::seq(numbers.iter().copied().map(Value::Int))
}

fn shown(net: &Net<Term>, place: u32) -> Vec<String> {
    let place = &net.places[PlaceId(place)];
    place.initial.iter().map(|(token, count)| format!("{count}'{}", (place.notation.0)(token))).collect()
}

#[test]
fn tokens_of_all_sorts() {
    let two = of(
        "tuple",
        &[RED, r#"<finiteintrangeconstant value="3"><usersort declaration="R"/></finiteintrangeconstant>"#],
    );
    let net = sound(&coloured(
        &[
            place("c", "C", &of("add", &[&times(2, BLUE), RED, RED])),
            place("r", "R", ALL_R),
            place("d", "D", &times(4, "<dotconstant/>")),
            place("p", "CR", &of("add", &[&of("tuple", &[RED, ALL_R]), &times(2, &two)])),
            place("s", "C", &of("subtract", &[ALL_C, RED])),
        ]
        .concat(),
    ));
    assert_eq!(net.places[PlaceId(0)].initial, [(int(&[0]), 2), (int(&[2]), 2)]);
    assert_eq!(net.places[PlaceId(1)].initial, [(int(&[2]), 1), (int(&[3]), 1), (int(&[4]), 1)]);
    assert_eq!(net.places[PlaceId(2)].initial, [(int(&[]), 4)]);
    assert_eq!(net.places[PlaceId(3)].initial, [(int(&[0, 2]), 1), (int(&[0, 3]), 3), (int(&[0, 4]), 1)]);
    assert_eq!(shown(&net, 0), ["2'(red)", "2'(blue)"]);
    assert_eq!(shown(&net, 3), ["1'(red, 2)", "3'(red, 3)", "1'(red, 4)"]);
    assert_eq!(shown(&net, 4), ["1'(green)", "1'(blue)"]);
}

/// The net of one transition `t` with an arc from `c`, of colours, and one to `p`, of pairs.
fn transition(condition: &str, input: &str, output: &str) -> stubborn_nets::Transition<Term> {
    let condition = format!("<condition><structure>{condition}</structure></condition>");
    let net = sound(&coloured(
        &[
            place("c", "C", ""),
            place("p", "CR", ""),
            format!("<transition id=\"t\">{condition}</transition>"),
            arc("c", "t", input),
            arc("t", "p", output),
        ]
        .concat(),
    ));
    net.transitions[TransId(0)].clone()
}

#[test]
fn patterns_keep_variables() {
    let t = transition("", &of("add", &[X, &times(2, X)]), &of("tuple", &[&of("successor", &[X]), ALL_R]));
    let [input] = &*t.inputs else { panic!("{t:?}") };
    let [Addend::Pattern(pattern)] = &*input.addends else { panic!("{input:?}") };
    assert_eq!((pattern.count, pattern.components[0].as_variable()), (3, Some(VariableId(0))));
    assert_eq!(t.outputs[0].addends.len(), 3);
    let Addend::Pattern(first) = &t.outputs[0].addends[0] else { panic!("{t:?}") };
    assert_eq!(first.components[0].eval(&[Value::Int(2)]), Ok(Value::Int(0)), "the first follows the last");
    assert_eq!(first.components[1].eval(&[]), Ok(Value::Int(2)));
    let variable = &t.variables[VariableId(0)];
    let Domain::Values(values) = &variable.domain else { panic!("{variable:?}") };
    assert_eq!((&*variable.name, &**values), ("x", &[0, 1, 2].map(Value::Int)[..]));
    assert_eq!((variable.notation.0)(&Value::Int(1)), "green");
}

#[test]
fn differences_are_evaluated() {
    let t = transition("", &of("subtract", &[&times(2, ALL_C), X, X]), &of("tuple", &[X, N]));
    let [Addend::Multiset(rest)] = &*t.inputs[0].addends else { panic!("{t:?}") };
    let pair = |colour: i64, count: i64| Value::seq([int(&[colour]), Value::Int(count)]);
    assert_eq!(rest.eval(&[Value::Int(1)]), Ok(Value::seq([pair(0, 2), pair(2, 2)])));
    let t = transition("", &of("subtract", &[RED, X]), &of("tuple", &[&of("subtract", &[ALL_C, X]), N]));
    let [Addend::Multiset(rest)] = &*t.inputs[0].addends else { panic!("{t:?}") };
    assert!(rest.eval(&[Value::Int(1)]).is_err(), "more is taken away than there is");
    let [Addend::Multiset(pairs)] = &*t.outputs[0].addends else { panic!("{t:?}") };
    let pair = |colour: i64| Value::seq([int(&[colour, 4]), Value::Int(1)]);
    assert_eq!(pairs.eval(&[Value::Int(1), Value::Int(4)]), Ok(Value::seq([pair(0), pair(2)])));
}

#[test]
fn conditions_are_split() {
    let element = |id: &str| {
        format!("<partitionelementof refpartition=\"P\"><subterm>{id}</subterm></partitionelementof>")
    };
    let condition = of(
        "and",
        &[
            &of("inequality", &[X, RED]),
            &of(
                "and",
                &[
                    &of("greaterthan", &[N, r#"<numberconstant value="2"><natural/></numberconstant>"#]),
                    &of("imply", &[&of("equality", &[X, BLUE]), &of("lessthanorequal", &[X, RED])]),
                ],
            ),
            &of("gtp", &[&element(X), r#"<useroperator declaration="warm"/>"#]),
            &of("equality", &[RED, RED]),
        ],
    );
    let t = transition(&condition, X, &of("tuple", &[X, N]));
    assert_eq!(t.guards.len(), 4, "what is always true is no guard");
    let holds = |x: i64, n: i64| {
        t.guards.iter().all(|guard| guard.eval(&[Value::Int(x), Value::Int(n)]) == Ok(Value::Int(1)))
    };
    let all: Vec<(i64, i64)> =
        (0..3).flat_map(|x| (2..5).map(move |n| (x, n))).filter(|(x, n)| holds(*x, *n)).collect();
    assert_eq!(all, [(1, 3), (1, 4)]);
}

#[test]
fn a_variable_of_a_product_is_several() {
    let t = transition("", X, r#"<variable refvariable="both"/>"#);
    let names: Vec<&str> = t.variables.iter().map(|variable| &*variable.name).collect();
    assert_eq!(names, ["x", "both.1", "both.2"]);
    let Addend::Pattern(pattern) = &t.outputs[0].addends[0] else { panic!("{t:?}") };
    let variables: Vec<_> = pattern.components.iter().map(Term::as_variable).collect();
    assert_eq!(variables, [Some(VariableId(1)), Some(VariableId(2))]);
}
