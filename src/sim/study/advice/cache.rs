//! Measurements that are known already, by their contents.

use super::{Findings, Question};
use std::sync::Arc;

/// Most questions that are remembered.
const MOST: usize = 8;
/// Memory that their films take at most, beside the last one [bytes].
const MOST_BYTES: usize = 256 << 20;

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
        self.0.push((question, findings));
        let bytes = |all: &[(Arc<Question>, Arc<Findings>)]| -> usize {
            all.iter().map(|(_, findings)| findings.bytes_of_films()).sum()
        };
        while self.0.len() > MOST || self.0.len() > 1 && bytes(&self.0) > MOST_BYTES {
            self.0.remove(0);
        }
    }
}
