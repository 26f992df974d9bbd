//! Work on many items at once.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many items make a thread of their own worth its start.
const LEAST_EACH: usize = 16;

/// What `of` makes of each of `all`, in their order, by as many threads as the machine runs at once.
pub(crate) fn in_order<T: Send, R: Send>(all: Vec<T>, of: impl Fn(T) -> R + Sync) -> Vec<R> {
    let at_once = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = at_once.min(all.len() / LEAST_EACH);
    if threads < 2 {
        return all.into_iter().map(of).collect();
    }
    let waiting = Mutex::new(all.into_iter().enumerate());
    let next = || {
        waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next()
    };
    let work = || {
        let mut made = Vec::new();
        while let Some((at, one)) = next() {
            made.push((at, of(one)));
        }
        made
    };
    let mut made = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        made
    });
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays() {
        for count in [0, 1, 15, 16, 40, 1000] {
            let all: Vec<usize> = (0..count).collect();
            let expected: Vec<usize> = all.iter().map(|one| one * 2).collect();
            assert_eq!(in_order(all, |one| one * 2), expected);
        }
    }

    #[test]
    #[should_panic(expected = "the 500th")]
    fn a_panic_goes_on() {
        in_order((0..1000).collect(), |one| assert!(one != 500, "the 500th"));
    }
}
