//! The machine code of a model: which functions there are, and how they are called.

use std::fmt;
use std::sync::Mutex;

use cranelift_codegen::ir::{AbiParam, Signature, Type, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context as Function, isa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use stubborn_base::Idx;
use stubborn_ir::{Comm, Expr, LocationId, Model, ProcessTypeId, TransitionId};

use crate::channels::Channels;
use crate::context::Context;
use crate::emit::{Declined, Emit, Emitter, Unit};
use crate::{Compiled, Fault};

/// (state, frame, context, number of the process, whether `timeout` is true) → transitions that are enabled.
pub(crate) type Enabled = unsafe extern "C" fn(*const u8, *const u8, *mut Context, u32, u32) -> u64;
/// (state, frame, context, number of the process, number of a channel) → transitions that can receive.
pub(crate) type Accept = unsafe extern "C" fn(*const u8, *const u8, *mut Context, u32, u32) -> u64;
/// (state, frame, context, number of the process) → number of the channel, or 0.
pub(crate) type Offer = unsafe extern "C" fn(*const u8, *const u8, *mut Context, u32) -> u32;
/// (state, frame, context, number of the process) → whether it was done.
pub(crate) type Act = unsafe extern "C" fn(*mut u8, *mut u8, *mut Context, u32) -> u32;

/// A mask that says that the interpreter is to be asked.
pub(crate) const ASK: u64 = u64::MAX;

/// Functions of a location.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LocationCode {
    pub(crate) enabled: Option<Enabled>,
    /// The first of its transitions.
    pub(crate) first: u32,
    /// Some of its transitions may wait for a partner.
    pub(crate) offers: bool,
    pub(crate) accept: AcceptCode,
}

/// How a location receives in a rendezvous.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum AcceptCode {
    /// It never does.
    #[default]
    Never,
    /// The interpreter knows.
    Ask,
    Code(Accept),
}

/// Functions of a transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransitionCode {
    /// The type of the process that it is a transition of.
    pub(crate) process: u32,
    /// Takes it on its own.
    pub(crate) step: Option<Act>,
    /// Evaluates what it hands over.
    pub(crate) offer: Option<Offer>,
    /// Takes what is handed over.
    pub(crate) bind: Option<Act>,
    /// What else it does in a rendezvous.
    pub(crate) finish: Option<Act>,
}

impl TransitionCode {
    fn new(process: ProcessTypeId) -> Self {
        TransitionCode { process: process.0, step: None, offer: None, bind: None, finish: None }
    }
}

/// The machine code of a model.
pub(crate) struct Code {
    /// By process type: where its locations begin.
    pub(crate) first_location: Vec<u32>,
    pub(crate) locations: Vec<LocationCode>,
    pub(crate) transitions: Vec<TransitionCode>,
    pub(crate) channels: Channels,
    /// In a rendezvous the receiver's effects come first.
    pub(crate) receiver_first: bool,
    pub(crate) compiled: Compiled,
    /// Owns what the functions are made of.
    module: Mutex<Option<JITModule>>,
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("compiled", &self.compiled).finish_non_exhaustive()
    }
}

impl Drop for Code {
    #[expect(unsafe_code, reason = "memory of machine code is given back by hand")]
    fn drop(&mut self) {
        let module =
            self.module.get_mut().map(Option::take).unwrap_or_else(|poisoned| poisoned.into_inner().take());
        if let Some(module) = module {
            // SAFETY: the functions are reached through this value only, and it is gone.
            unsafe { module.free_memory() }
        }
    }
}

/// Something to compile.
#[derive(Clone, Copy)]
enum Job {
    Enabled(ProcessTypeId, LocationId),
    Accept(ProcessTypeId, LocationId),
    Step(TransitionId),
    Offer(TransitionId),
    Bind(TransitionId),
    Finish(TransitionId),
}

impl Code {
    /// Compiles what can be compiled of a model, as long as it is wanted; none if the machine is not supported.
    pub(crate) fn new(model: &Model, fault: Option<Fault>, is_wanted: &dyn Fn() -> bool) -> Option<Self> {
        let isa = machine()?;
        let channels = Channels::new(model);
        let unit = Unit { model, channels: &channels, call_conv: isa.default_call_conv(), fault };
        let mut compiler = Compiler {
            unit: &unit,
            is_wanted,
            module: JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())),
            function: Function::new(),
            builder: FunctionBuilderContext::new(),
            done: Vec::new(),
        };
        let mut code = Code {
            first_location: Vec::new(),
            locations: Vec::new(),
            transitions: model.transitions.iter().map(|t| TransitionCode::new(t.process)).collect(),
            channels: Channels::default(),
            receiver_first: model.receiver_first,
            compiled: Compiled::default(),
            module: Mutex::new(None),
        };
        for (id, process) in model.processes.iter_enumerated() {
            code.first_location.push(code.locations.len() as u32);
            for (i, location) in process.locations.iter().enumerate() {
                let at = LocationId(i as u16);
                let mut row = LocationCode { first: location.transitions.start, ..LocationCode::default() };
                row.offers = location.transition_ids().any(|t| compiler.may_wait(t, true));
                if location.transition_ids().any(|t| compiler.may_wait(t, false)) {
                    row.accept = AcceptCode::Ask;
                }
                code.locations.push(row);
                if !process.is_stationary {
                    code.compiled.locations += 1;
                    code.compiled.locations_declined += u32::from(!compiler.compile(Job::Enabled(id, at)));
                }
                if matches!(row.accept, AcceptCode::Ask) {
                    compiler.compile(Job::Accept(id, at));
                }
            }
        }
        for id in model.transitions.indices() {
            let waits = compiler.may_wait(id, true) || compiler.may_wait(id, false);
            let mut is_done = true;
            if compiler.may_pass_alone(id) {
                is_done &= compiler.compile(Job::Step(id));
            }
            if waits {
                let first = if compiler.may_wait(id, true) { Job::Offer(id) } else { Job::Bind(id) };
                is_done = is_done && compiler.compile(first) && compiler.compile(Job::Finish(id));
            }
            code.compiled.transitions += 1;
            code.compiled.transitions_declined += u32::from(!is_done);
        }
        compiler.enter(&mut code)?;
        code.channels = channels;
        Some(code)
    }
}

/// The machine this runs on.
fn machine() -> Option<OwnedTargetIsa> {
    if cfg!(not(all(target_endian = "little", target_pointer_width = "64"))) {
        return None;
    }
    let mut flags = settings::builder();
    for (name, value) in [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "speed"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ] {
        flags.set(name, value).ok()?;
    }
    let builder: isa::Builder = cranelift_native::builder().ok()?;
    let isa = builder.finish(settings::Flags::new(flags)).ok()?;
    // Rust's own functions and these call each other.
    matches!(isa.default_call_conv(), CallConv::SystemV | CallConv::AppleAarch64 | CallConv::WindowsFastcall)
        .then_some(isa)
}

struct Compiler<'m> {
    unit: &'m Unit<'m>,
    is_wanted: &'m dyn Fn() -> bool,
    module: JITModule,
    function: Function,
    builder: FunctionBuilderContext,
    done: Vec<(Job, FuncId)>,
}

impl Compiler<'_> {
    /// Whether a transition may be a send, or a receive, in a rendezvous.
    fn may_wait(&self, transition: TransitionId, is_send: bool) -> bool {
        let t = &self.unit.model.transitions[transition];
        match &t.comm {
            Some(Comm::Send(send)) if is_send => self.may_pass_at_once(t.process, &send.chan),
            Some(Comm::Receive(receive)) if !is_send => {
                !receive.peek && self.may_pass_at_once(t.process, &receive.chan)
            }
            _ => false,
        }
    }

    fn may_pass_at_once(&self, process: ProcessTypeId, chan: &Expr) -> bool {
        let channels = &self.unit.channels;
        match channels.known(self.unit.model, process, chan) {
            Some(known) => known.channel.capacity == 0,
            None => channels.any_rendezvous,
        }
    }

    /// Whether a transition may be a step on its own.
    fn may_pass_alone(&self, transition: TransitionId) -> bool {
        let t = &self.unit.model.transitions[transition];
        match &t.comm {
            None => true,
            Some(
                Comm::Send(stubborn_ir::Send { chan, .. }) | Comm::Receive(stubborn_ir::Receive { chan, .. }),
            ) => {
                let channels = &self.unit.channels;
                match channels.known(self.unit.model, t.process, chan) {
                    Some(known) => known.channel.capacity > 0,
                    None => channels.any_buffered,
                }
            }
        }
    }

    /// Compiles a function; whether it could be done, and is wanted.
    fn compile(&mut self, job: Job) -> bool {
        if !(self.is_wanted)() {
            return false;
        }
        let (signature, _) = self.signature(job);
        self.function.clear();
        self.function.func.signature = signature.clone();
        if self.emit(job).is_err() {
            // What was begun is left as it is.
            self.builder = FunctionBuilderContext::new();
            return false;
        }
        let Ok(id) = self.module.declare_anonymous_function(&signature) else { return false };
        if self.module.define_function(id, &mut self.function).is_err() {
            return false;
        }
        self.done.push((job, id));
        true
    }

    fn signature(&self, job: Job) -> (Signature, (Type, i64)) {
        let mut signature = Signature::new(self.unit.call_conv);
        signature.params.extend([AbiParam::new(types::I64); 3]);
        signature.params.push(AbiParam::new(types::I32));
        let returned = match job {
            Job::Enabled(..) | Job::Accept(..) => {
                signature.params.push(AbiParam::new(types::I32));
                (types::I64, ASK as i64)
            }
            Job::Step(_) | Job::Offer(_) | Job::Bind(_) | Job::Finish(_) => (types::I32, 0),
        };
        signature.returns.push(AbiParam::new(returned.0));
        (signature, returned)
    }

    fn emit(&mut self, job: Job) -> Emit<()> {
        let (_, returned) = self.signature(job);
        let model = self.unit.model;
        let process = match job {
            Job::Enabled(process, _) | Job::Accept(process, _) => process,
            Job::Step(t) | Job::Offer(t) | Job::Bind(t) | Job::Finish(t) => model.transitions[t].process,
        };
        let is_pure = matches!(job, Job::Enabled(..) | Job::Accept(..) | Job::Offer(_));
        let config = self.module.target_config();
        let offers = match job {
            Job::Enabled(process, at) => {
                let location = model.processes[process].location(at);
                location.transition_ids().any(|t| self.may_wait(t, true))
            }
            _ => false,
        };
        let builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder);
        let mut x = Emitter::new(self.unit, process, builder, is_pure, returned);
        match job {
            Job::Enabled(_, at) => x.enabled(model.processes[process].location(at), offers)?,
            Job::Accept(_, at) => x.accept(model.processes[process].location(at))?,
            Job::Step(t) => {
                x.step(t)?;
                x.succeed();
            }
            Job::Finish(t) => {
                x.finish_step(t)?;
                x.succeed();
            }
            Job::Offer(t) => match &model.transitions[t].comm {
                Some(Comm::Send(send)) => x.offer(send)?,
                _ => return Err(Declined),
            },
            Job::Bind(t) => match &model.transitions[t].comm {
                Some(Comm::Receive(receive)) => {
                    x.bind(receive)?;
                    x.succeed();
                }
                _ => return Err(Declined),
            },
        }
        x.finish(config);
        Ok(())
    }

    /// Makes the functions callable.
    #[expect(unsafe_code, reason = "an address becomes a function")]
    fn enter(mut self, code: &mut Code) -> Option<()> {
        self.module.finalize_definitions().ok()?;
        for (job, id) in self.done {
            let address = self.module.get_finalized_function(id);
            // SAFETY: the function at this address was compiled with the signature of its job, which is that of the
            // type it gets here, for the calling convention of `extern "C"`.
            unsafe {
                match job {
                    Job::Enabled(process, at) => {
                        let row = code.first_location[process.index()] + u32::from(at.0);
                        code.locations[row as usize].enabled =
                            Some(std::mem::transmute::<*const u8, Enabled>(address));
                    }
                    Job::Accept(process, at) => {
                        let row = code.first_location[process.index()] + u32::from(at.0);
                        code.locations[row as usize].accept =
                            AcceptCode::Code(std::mem::transmute::<*const u8, Accept>(address));
                    }
                    Job::Offer(t) => {
                        code.transitions[t.index()].offer =
                            Some(std::mem::transmute::<*const u8, Offer>(address));
                    }
                    Job::Step(t) => {
                        code.transitions[t.index()].step =
                            Some(std::mem::transmute::<*const u8, Act>(address));
                    }
                    Job::Bind(t) => {
                        code.transitions[t.index()].bind =
                            Some(std::mem::transmute::<*const u8, Act>(address));
                    }
                    Job::Finish(t) => {
                        code.transitions[t.index()].finish =
                            Some(std::mem::transmute::<*const u8, Act>(address));
                    }
                }
            }
        }
        code.module = Mutex::new(Some(self.module));
        Some(())
    }
}
