//! Measurements that are known already, by their contents.

use super::{Findings, Question};
use std::sync::Arc;

/// Most questions that are remembered.
const MOST: usize = 8;

/// The last questions with their findings. Budget and purpose are no part of a question: another
/// judgement measures nothing anew.
#[derive(Debug, Default, Clone)]
pub struct Cache(Vec<(Arc<Question>, Arc<Findings>)>);

impl Cache {
    /// The findings of this very question, bit for bit, if they are known.
    #[must_use]
    pub fn find(&self, question: &Question) -> Option<Arc<Findings>> {
        self.0.iter().find(|(known, _)| **known == *question).map(|(_, findings)| Arc::clone(findings))
    }

    /// Remembers findings; the oldest ones make room.
    pub fn keep(&mut self, question: Arc<Question>, findings: Arc<Findings>) {
        self.0.retain(|(known, _)| *known != question);
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push((question, findings));
    }
}
