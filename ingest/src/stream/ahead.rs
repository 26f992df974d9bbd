//! Reading ahead, for the next transaction, while the store works on one.

use super::{Stream, lock, wait};
use crate::error::Error;

/// What the thread that reads ahead does.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Ahead {
    #[default]
    Waits,
    Reads,
    /// It is to wait, and has a piece in hand.
    Stops,
    /// It is to end.
    Ends,
}

impl Stream {
    /// Reads ahead whenever [`Stream::read_ahead`] lets it, until [`Stream::end`].
    pub(crate) fn run_ahead(&self) {
        let _end = EndOnDrop(self);
        let mut ahead = lock(&self.ahead);
        loop {
            match *ahead {
                Ahead::Ends => return,
                Ahead::Waits => ahead = wait(&self.ahead_changed, ahead),
                Ahead::Stops => {
                    *ahead = Ahead::Waits;
                    self.ahead_changed.notify_all();
                }
                Ahead::Reads => {
                    drop(ahead);
                    let is_more = self.read_one();
                    ahead = lock(&self.ahead);
                    if !is_more && *ahead == Ahead::Reads {
                        ahead = wait(&self.ahead_changed, ahead);
                    }
                }
            }
        }
    }

    /// Takes a piece in; false when there is none that may be.
    fn read_one(&self) -> bool {
        let done = match self.take_piece() {
            Ok(Some(taken)) => self.take_in(taken).map_err(Error::from),
            Ok(None) => return false,
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => true,
            Err(error) => {
                self.supply().fail(error);
                false
            }
        }
    }

    /// Lets pieces be read ahead, which belong to the next transaction.
    pub(crate) fn read_ahead(&self) {
        let mut supply = self.supply();
        let most = supply.most();
        supply.allow_more(most);
        drop(supply);
        *lock(&self.ahead) = Ahead::Reads;
        self.ahead_changed.notify_all();
    }

    /// Ends reading ahead; when this returns, nobody does.
    pub(crate) fn stop_ahead(&self) {
        let mut ahead = lock(&self.ahead);
        if *ahead == Ahead::Reads {
            *ahead = Ahead::Stops;
            self.ahead_changed.notify_all();
        }
        while *ahead == Ahead::Stops {
            ahead = wait(&self.ahead_changed, ahead);
        }
        drop(ahead);
        self.supply().allow_more(0);
    }

    /// Lets the thread that reads ahead end.
    pub(crate) fn end(&self) {
        *lock(&self.ahead) = Ahead::Ends;
        self.ahead_changed.notify_all();
    }
}

/// Lets a stream's thread end, and nobody wait for it, however its owner ends.
pub(crate) struct EndOnDrop<'s>(pub(crate) &'s Stream);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
