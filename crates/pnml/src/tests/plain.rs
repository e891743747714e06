//! Place/transition nets: weights, markings, pages, names.

use stubborn_nets::{Addend, PlaceId, TransId, Value};

use super::{plain, sound};

fn weights(arcs: &[stubborn_nets::Arc<crate::Term>]) -> Vec<(u32, u32)> {
    let weight = |addend: &Addend<crate::Term>| match addend {
        Addend::Pattern(pattern) => {
            assert!(pattern.components.is_empty(), "dots have no components");
            pattern.count
        }
        Addend::Multiset(_) => panic!("there are no differences"),
    };
    arcs.iter().map(|arc| (arc.place.0, arc.addends.iter().map(weight).sum())).collect()
}

#[test]
fn weights_and_markings() {
    let net = sound(&plain(
        r#"<place id="p"><name><text>first</text></name><initialMarking><text> 3 </text></initialMarking></place>
        <place id="q"/>
        <transition id="t"><name><text>go</text></name></transition>
        <arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc>
        <arc id="b" source="p" target="t"/>
        <arc id="c" source="t" target="q"><inscription><text>5</text></inscription></arc>"#,
    ));
    assert_eq!(net.name, "N");
    let [p, q] = [0, 1].map(|id| &net.places[PlaceId(id)]);
    assert_eq!((&*p.name, &*p.initial), ("first", &[(Value::seq([]), 3)][..]));
    assert_eq!((&*q.name, &*q.initial), ("q", &[][..]));
    let t = &net.transitions[TransId(0)];
    assert_eq!(t.name, "go");
    assert_eq!(weights(&t.inputs), [(0, 3)], "arcs between the same nodes add up");
    assert_eq!(weights(&t.outputs), [(1, 5)]);
    assert_eq!((p.notation.0)(&Value::seq([])), "");
}

#[test]
fn references_on_two_pages() {
    let text = plain(
        r#"<place id="p"><initialMarking><text>1</text></initialMarking></place>
        <page id="inner">
          <page id="innermost">
            <referencePlace id="alias" ref="again"/>
            <referenceTransition id="u" ref="t"/>
            <arc id="a" source="alias" target="u"/>
          </page>
          <referencePlace id="again" ref="p"/>
          <transition id="t"/>
        </page>"#,
    );
    let net = sound(&text);
    assert_eq!((net.places.len(), net.transitions.len()), (1, 1));
    assert_eq!(weights(&net.transitions[TransId(0)].inputs), [(0, 1)]);
}

#[test]
fn spans_are_ids() {
    let text = plain(r#"<place id="p"><name><text> one </text></name></place><transition id="t"/>"#);
    let net = sound(&text);
    let slice = |span: stubborn_base::Span| &text[span.range()];
    assert_eq!(slice(net.places[PlaceId(0)].span), "p");
    assert_eq!(net.places[PlaceId(0)].name, "one");
    assert_eq!(slice(net.transitions[TransId(0)].span), "t");
    let twice = sound(&plain(
        r#"<place id="p"><name><text>x</text></name></place><place id="q"><name><text>x</text></name></place>"#,
    ));
    let names: Vec<&str> = twice.places.iter().map(|place| &*place.name).collect();
    assert_eq!(names, ["p", "q"], "names that are not unique are no names");
}

#[test]
fn inhibitors() {
    let net = sound(&plain(
        r#"<place id="p"/><transition id="t"/>
        <arc id="a" source="p" target="t"><type value="inhibitor"/><inscription><text>2</text></inscription></arc>"#,
    ));
    let t = &net.transitions[TransId(0)];
    assert_eq!((weights(&t.inhibitors), weights(&t.inputs)), (vec![(0, 2)], vec![]));
}
