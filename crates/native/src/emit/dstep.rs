//! Deterministic runs: `Executor::dstep`, as the graph that it is.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use stubborn_ir::{Comm, DStep};

use super::{Emit, Emitter};

/// The interpreter is asked about a run that jumps back more often than this.
const LONG: i32 = 100_000;

impl Emitter<'_, '_> {
    pub(super) fn dstep(&mut self, dstep: &DStep) -> Emit<()> {
        let left = self.variable(types::I32);
        let long = self.int(LONG);
        self.b.def_var(left, long);
        let nodes: Vec<Block> = dstep.nodes.iter().map(|_| self.b.create_block()).collect();
        let done = self.b.create_block();
        self.b.ins().jump(nodes[0], &[]);
        for (node, alternatives) in dstep.nodes.iter().enumerate() {
            self.b.switch_to_block(nodes[node]);
            for alternative in alternatives {
                let next = self.b.create_block();
                for guard in &alternative.guards {
                    self.require(guard, next)?;
                }
                match &alternative.comm {
                    None => {}
                    Some(Comm::Send(send)) => self.send(send, next)?,
                    Some(Comm::Receive(receive)) => self.receive(receive, false, next)?,
                }
                for effect in &alternative.effects {
                    self.effect(effect)?;
                }
                match alternative.to {
                    Some(to) => {
                        if to as usize <= node {
                            let (n_left, one) = (self.b.use_var(left), self.int(1));
                            let n_left = self.b.ins().isub(n_left, one);
                            self.b.def_var(left, n_left);
                            let goes_on = self.compare_with(IntCC::SignedGreaterThan, n_left, 0);
                            self.ask_unless(goes_on);
                        }
                        self.b.ins().jump(nodes[to as usize], &[]);
                    }
                    None => {
                        self.b.ins().jump(done, &[]);
                    }
                }
                self.b.switch_to_block(next);
            }
            self.b.ins().jump(self.ask, &[]);
        }
        self.b.switch_to_block(done);
        Ok(())
    }
}
