//! What the relations know of a model, found once and kept on a thread of its own: it takes long on large models, and
//! rows are computed when they are first asked for.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use stubborn_check::relations::describe::Survey;
use stubborn_check::relations::survey;
use stubborn_ir::Model;

/// Something to do with what is known; nothing is if the model has no initial state.
pub type Question = Box<dyn FnOnce(Option<&Survey<'_>>) + Send>;

/// Answers questions about one model, in order. It ends when it is dropped.
#[derive(Debug)]
pub struct Surveyor {
    questions: Option<Sender<Question>>,
}

impl Surveyor {
    /// For a model.
    pub(crate) fn start(model: Arc<Model>) -> Self {
        let (sender, questions) = channel();
        let body = move || answer(&model, &questions);
        let thread = std::thread::Builder::new().name("surveyor".to_owned()).spawn(body);
        Surveyor { questions: thread.is_ok().then_some(sender) }
    }

    /// Asks. The question is dropped unanswered if no thread could be had, or a defect of ours ended it.
    pub fn ask(&self, question: Question) {
        if let Some(questions) = &self.questions {
            let _ = questions.send(question);
        }
    }
}

fn answer(model: &Model, questions: &Receiver<Question>) {
    // Nothing is found before it is asked for.
    let Ok(first) = questions.recv() else { return };
    let survey = survey(model).ok();
    first(survey.as_ref());
    for question in questions {
        question(survey.as_ref());
    }
}
