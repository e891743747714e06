//! Sends, receives, polls and probes.

use super::features::Feature;
use super::names::{Channel, Field, Generator, Type};
use super::tree::{Node, Sort};

/// Which channels a statement may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Any,
    /// Not rendezvous: what looks into a buffer, or stands in a `d_step`.
    Buffered,
}

impl Generator {
    pub(super) fn channel(&mut self, wanted: Wanted) -> Option<Channel> {
        let mut channels = self.channels();
        channels.retain(|channel| wanted == Wanted::Any || !channel.rendezvous);
        self.random.pick(&channels).cloned()
    }

    /// A channel on which the current process mostly does this: half of the processes are a channel's
    /// senders and half its receivers, or few messages would ever arrive.
    fn channel_for(&mut self, sends: bool, wanted: Wanted) -> Option<Channel> {
        let mut channels = self.channels();
        let no_rendezvous = wanted == Wanted::Buffered || (sends && self.no_offers);
        channels.retain(|channel| !(no_rendezvous && channel.rendezvous));
        if self.random.percent(80) {
            let rank = self.current.rank;
            channels.retain(|channel| (rank + channel.signature).is_multiple_of(2) == sends);
        }
        self.random.pick(&channels).cloned()
    }

    /// `c!…` or `c!!…`.
    pub(super) fn send(&mut self, wanted: Wanted) -> Option<Node> {
        let channel = self.channel_for(true, wanted)?;
        self.send_to(&channel)
    }

    pub(super) fn send_to(&mut self, channel: &Channel) -> Option<Node> {
        let place = self.place(&channel.base, &channel.path);
        let sorted = !channel.rendezvous && self.chance(Feature::SortedSend, 25);
        let fields = self.signatures[channel.signature].clone();
        let mut arguments = Vec::new();
        for &field in &fields {
            arguments.push(self.payload(field)?);
        }
        let node = Node::new(Sort::Statement).child(place).text(if sorted { "!!" } else { "!" });
        let feature = match (sorted, channel.rendezvous) {
            (true, _) => Feature::SortedSend,
            (_, true) => Feature::Rendezvous,
            _ => Feature::BufferedChannel,
        };
        Some(join(node, arguments, &fields, self.random.percent(20)).tagged(feature))
    }

    fn payload(&mut self, field: Field) -> Option<Node> {
        match field {
            Field::Scalar(ty) => Some(self.value(ty)),
            Field::Channel(signature) => {
                let mut channels = self.channels();
                // Only channels that outlive everyone may travel: a process takes its own channels with it.
                channels.retain(|channel| channel.signature == signature && channel.base.starts_with('g'));
                let channel = self.random.pick(&channels)?.clone();
                Some(self.place(&channel.base, &channel.path).tagged(Feature::ChannelMessage))
            }
            Field::Structure => {
                let structures = self.structures();
                Some(Node::expr(self.random.pick(&structures)?.base.clone()).tagged(Feature::Typedef))
            }
        }
    }

    /// `c?…` in one of its forms; where a receive must not wait for particular values, `open` says so.
    pub(super) fn receive(&mut self, wanted: Wanted, open: bool) -> Option<Node> {
        let channel = self.channel_for(false, wanted)?;
        self.receive_from(&channel, open)
    }

    pub(super) fn receive_from(&mut self, channel: &Channel, open: bool) -> Option<Node> {
        let place = self.place(&channel.base, &channel.path);
        let fields = self.signatures[channel.signature].clone();
        // `pan` looks the channel up again for each field, with what the fields before it were received into.
        let index = place.render();
        let arguments = self.patterns(&fields, open, &index)?;
        let buffered = !channel.rendezvous;
        let random = buffered && self.chance(Feature::RandomReceive, 25);
        let copy = buffered && self.chance(Feature::Poll, 15);
        let node = Node::new(Sort::Statement).child(place).text(if random { "??" } else { "?" });
        let feature = match (copy, random, buffered) {
            (true, ..) => Feature::Poll,
            (_, true, _) => Feature::RandomReceive,
            (.., true) => Feature::BufferedChannel,
            _ => Feature::Rendezvous,
        };
        let node = if copy {
            join(node.text("<"), arguments, &fields, false).text(">")
        } else {
            join(node, arguments, &fields, self.random.percent(20))
        };
        Some(node.tagged(feature))
    }

    /// What a receive names for each field. No variable occurs twice, which SPIN refuses.
    fn patterns(&mut self, fields: &[Field], open: bool, index: &str) -> Option<Vec<Node>> {
        let in_index =
            self.variables().into_iter().map(|v| v.base).filter(|base| index.contains(base.as_str()));
        let mut taken: Vec<String> = in_index.collect();
        fields.iter().map(|&field| self.pattern(field, open, &mut taken)).collect()
    }

    fn pattern(&mut self, field: Field, open: bool, taken: &mut Vec<String>) -> Option<Node> {
        let ty = match field {
            Field::Scalar(ty) => ty,
            Field::Channel(signature) => {
                let mut channels = self.channels();
                channels.retain(|c| c.variable && c.signature == signature && !taken.contains(&c.base));
                let Some(channel) = self.random.pick(&channels).cloned() else {
                    return Some(Node::expr("_"));
                };
                taken.push(channel.base.clone());
                return Some(Node::expr(channel.base).tagged(Feature::ChannelMessage));
            }
            Field::Structure => {
                let structures = self.structures();
                return Some(
                    Node::expr(self.random.pick(&structures)?.base.clone()).tagged(Feature::Typedef),
                );
            }
        };
        match self.random.below(14) {
            0..=1 if !open => match ty {
                Type::Mtype(set) => {
                    let names = self.mtypes[set].1.clone();
                    Some(Node::expr(self.random.pick(&names)?.clone()))
                }
                _ => Some(Node::expr(self.random.range(0, 2).to_string())),
            },
            2 if !open => {
                // `pan` computes it again to take the receive back: it must not depend on what is received.
                let value = self.value(ty);
                let text = value.render();
                if taken.iter().any(|name| text.contains(name.as_str())) {
                    return Some(Node::expr("_"));
                }
                let names = self.variables().into_iter().map(|v| v.base);
                taken.extend(names.filter(|name| text.contains(name.as_str())));
                Some(Node::expr("eval(").child(value).text(")"))
            }
            3 => Some(Node::expr("_")),
            _ => {
                let mut variables = self.variables();
                // `pan` takes a receive back by sending what the variable holds: it must hold the whole value.
                variables
                    .retain(|v| v.writable && v.ty.holds(ty) && v.base != "fst" && !taken.contains(&v.base));
                let Some(variable) = self.random.pick(&variables).cloned() else {
                    return Some(Node::expr("_"));
                };
                taken.push(variable.base.clone());
                Some(self.place(&variable.base, &variable.path))
            }
        }
    }

    /// `c?[…]` or `c??[…]`.
    pub(super) fn poll_condition(&mut self) -> Option<Node> {
        let channel = self.channel(Wanted::Buffered)?;
        let place = self.place(&channel.base, &channel.path);
        let fields = self.signatures[channel.signature].clone();
        let arguments = self.patterns(&fields, false, "")?;
        let random = self.chance(Feature::RandomReceive, 40);
        let node = Node::new(Sort::Expression).child(place).text(if random { "??[" } else { "?[" });
        Some(join(node, arguments, &fields, false).text("]").tagged(Feature::Poll))
    }

    pub(super) fn length(&mut self) -> Option<Node> {
        let channel = self.channel(Wanted::Buffered)?;
        let place = self.place(&channel.base, &channel.path);
        Some(Node::expr("len(").child(place).text(")").tagged(Feature::Probe))
    }

    /// `full(c)` and its kin, which SPIN lets nobody negate.
    pub(super) fn probe(&mut self) -> Option<Node> {
        let name = *self.random.pick(&["full", "empty", "nfull", "nempty"])?;
        let channel = self.channel(Wanted::Buffered)?;
        let place = self.place(&channel.base, &channel.path);
        Some(Node::expr(format!("{name}(")).child(place).text(")").tagged(Feature::Probe))
    }
}

/// Joins the fields of a message, in the form `kind(rest)` if asked and possible.
fn join(node: Node, mut arguments: Vec<Node>, fields: &[Field], call: bool) -> Node {
    let n = arguments.len();
    if call && n > 1 && fields[0] != Field::Structure {
        let rest = arguments.split_off(1);
        return node.inline(arguments, ",", 1).text("(").inline(rest, ", ", n - 1).text(")");
    }
    node.inline(arguments, ", ", n)
}
