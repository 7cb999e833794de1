//! The allocator of the sandbox's program. Only this package has unsafe code: the declarations of
//! two functions of mimalloc.

use std::cell::Cell;
use std::ffi::{c_int, c_long};
use std::time::{Duration, Instant};

pub use mimalloc::MiMalloc;
pub use zeroizing_alloc::ZeroAlloc;

/// How often a thread returns its free memory.
const PAUSE: Duration = Duration::from_secs(1);

/// The option `mi_option_purge_delay` and its value in milliseconds: longer than the pause, so that
/// [`return_memory`] decides when memory is returned.
const PURGE_DELAY: (c_int, c_long) = (15, 10_000);

// Any thread may call these functions at any time.
#[expect(unsafe_code, reason = "the compiler cannot check functions in C")]
unsafe extern "C" {
    safe fn mi_collect(force: bool);
    safe fn mi_option_set(option: c_int, value: c_long);
}

/// Keeps free memory until [`return_memory`]. With the default, memory is returned and fetched
/// again all the time, which takes a tenth of the time of a request.
pub fn keep_memory() {
    let (option, value) = PURGE_DELAY;
    mi_option_set(option, value);
}

/// Returns the free memory of this thread to the system, at most once in a pause. A thread calls it
/// before it waits for work.
pub fn return_memory() {
    thread_local! {
        static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
    }
    if LAST.get().is_none_or(|last| last.elapsed() >= PAUSE) {
        mi_collect(true);
        LAST.set(Some(Instant::now()));
    }
}
