//! The thread that steps. It executes commands in their order, and publishes frames; no thread
//! waits for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::showing::Measuring;
use super::{Command, Frame, Session, Watch};
use crate::scene::InputError;
use crate::sim::Canceller;

/// How long a state that is not on the disk waits while nothing happens.
const UNSAVED: Duration = Duration::from_millis(200);

/// Orders to a worker.
enum Order {
    Command(Command),
    /// Ticks are waiting; they are counted apart, so that commands need not wait for all of them.
    Tick,
    /// Reads the session, between steps; it is as it was afterwards.
    Ask(Box<dyn FnOnce(&mut Session) + Send>),
    /// Optional measurements in frames.
    Watch(Watch),
}

/// Shared data of the worker's thread and its owner.
#[derive(Default)]
struct Shared {
    /// The newest frame, and the number of steps that had ended then, of all that were ordered.
    latest: Mutex<Option<(Arc<Frame>, u64)>>,
    /// Whether the owner has taken the latest frame.
    taken: AtomicBool,
    /// Ticks that were ordered and have not begun yet.
    pending: AtomicU64,
    /// Whether there are ticks whose end no published frame shows.
    busy: AtomicBool,
}

impl Shared {
    fn publish(&self, frame: Frame, ended: u64) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some((Arc::new(frame), ended));
        self.taken.store(false, Ordering::Release);
    }

    /// Takes one of the waiting ticks.
    fn next_tick(&self) -> bool {
        self.pending.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |waiting| waiting.checked_sub(1)).is_ok()
    }
}

/// A session on a thread of its own.
pub struct Worker {
    orders: Sender<(u64, Order)>,
    shared: Arc<Shared>,
    canceller: Canceller,
    /// Number of the last order.
    last: u64,
    /// Number of steps that were ordered and not called off before they began: ticks and single
    /// steps.
    steps: u64,
    /// Number of those that had ended in the last frame that was taken.
    ended: u64,
}

impl Worker {
    /// Takes a session over, and returns the worker with the first frame.
    #[must_use]
    pub fn start(session: Session) -> (Self, Arc<Frame>) {
        let (orders, receiver) = channel();
        let shared = Arc::new(Shared::default());
        let canceller = Canceller::default();
        let first = Arc::new(session.frame(0));
        let (told, cancels) = (Arc::clone(&shared), canceller.clone());
        // it ends when all senders of orders are gone
        std::thread::spawn(move || serve(session, &receiver, &told, &cancels));
        (Self { orders, shared, canceller, last: 0, steps: 0, ended: 0 }, first)
    }

    /// Orders a command and returns the number of the order: frames that have seen it show its
    /// effect.
    pub fn send(&mut self, command: Command) -> u64 {
        self.steps += u64::from(command == Command::Step);
        self.order(Order::Command(command))
    }

    /// Orders a tick. It passes after the commands that come before it begins.
    pub fn tick(&mut self) {
        self.steps += 1;
        self.shared.pending.fetch_add(1, Ordering::Relaxed);
        self.shared.busy.store(true, Ordering::Release);
        self.order(Order::Tick);
    }

    /// Number of the last order.
    #[must_use]
    pub const fn last_order(&self) -> u64 {
        self.last
    }

    /// Number of ticks that were ordered and have not begun yet.
    #[must_use]
    pub fn pending_ticks(&self) -> u64 {
        self.shared.pending.load(Ordering::Relaxed)
    }

    /// Whether ticks were ordered whose end no frame shows yet.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.shared.busy.load(Ordering::Acquire)
    }

    /// Number of steps that were ordered and of which the last frame that was taken does not tell.
    #[must_use]
    pub const fn steps_to_come(&self) -> u64 {
        self.steps - self.ended
    }

    /// Calls off all ticks that were ordered so far and have not passed yet. The step at work
    /// leaves no trace.
    pub fn cancel_ticks(&mut self) {
        self.steps -= self.shared.pending.swap(0, Ordering::Relaxed);
        self.canceller.cancel_through(self.last);
    }

    /// Reads the session after the commands that were ordered so far.
    pub fn ask<T: Send + 'static>(&mut self, read: impl FnOnce(&Session) -> T + Send + 'static) -> Receiver<T> {
        let (sender, receiver) = channel();
        self.order(Order::Ask(Box::new(move |session| {
            // the receiver may have gone
            let _ = sender.send(read(session));
        })));
        receiver
    }

    /// A recording of the way that the session has gone, after the commands that were ordered so
    /// far.
    pub fn record_way(&mut self) -> Receiver<Result<String, InputError>> {
        let (sender, receiver) = channel();
        self.order(Order::Ask(Box::new(move |session| {
            let _ = sender.send(session.record_way());
        })));
        receiver
    }

    /// Reads the session after the commands that were ordered so far, and ends the recording that
    /// goes to a file at the same step.
    pub fn ask_at_end<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Receiver<(T, Result<(), InputError>)> {
        let (sender, receiver) = channel();
        self.order(Order::Ask(Box::new(move |session| {
            let _ = sender.send((read(session), session.end_record_file()));
        })));
        receiver
    }

    /// Sets the optional measurements in frames; returns the number of the order.
    pub fn watch(&mut self, watch: Watch) -> u64 {
        self.order(Order::Watch(watch))
    }

    /// The newest frame, if there is one that has not been taken yet.
    pub fn take_frame(&mut self) -> Option<Arc<Frame>> {
        let latest = self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (frame, ended) = latest?;
        self.shared.taken.store(true, Ordering::Release);
        self.ended = ended;
        Some(frame)
    }

    fn order(&mut self, order: Order) -> u64 {
        self.last += 1;
        // without a worker the last frame stays
        let _ = self.orders.send((self.last, order));
        self.last
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel_ticks();
    }
}

fn serve(mut session: Session, orders: &Receiver<(u64, Order)>, shared: &Shared, canceller: &Canceller) {
    let (mut seen, mut shown, mut ended) = (0, 0, 0);
    let mut measuring = Measuring::default();
    // the states differ also where the orders do not: after a tick
    let mut changed = false;
    loop {
        let order = match orders.try_recv() {
            Ok(order) => Some(order),
            Err(TryRecvError::Disconnected) => return,
            Err(TryRecvError::Empty) if shared.next_tick() => None,
            Err(TryRecvError::Empty) => {
                if changed || seen != shown {
                    (changed, shown) = (false, seen);
                    shared.publish(session.frame_with(seen, measuring.of(&session, seen)), ended);
                }
                shared.busy.store(false, Ordering::Release);
                // the last changes go to the disk although nothing follows
                let unsaved = if session.is_unsaved() { UNSAVED } else { Duration::MAX };
                // and the numbers of the last state are to be told
                let due = measuring.due(&session, seen);
                let patience = unsaved.min(due.unwrap_or(Duration::MAX));
                match orders.recv_timeout(patience) {
                    Ok(order) => Some(order),
                    Err(RecvTimeoutError::Timeout) => {
                        changed |= due.is_some() && measuring.due(&session, seen) == Some(Duration::ZERO);
                        session.save();
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        if let Some((number, order)) = order {
            seen = number;
            session.simulation_mut().cancel = canceller.token(seen);
            match order {
                Order::Command(command) => {
                    ended += u64::from(command == Command::Step);
                    session.apply(command);
                }
                Order::Ask(read) => read(&mut session),
                Order::Watch(watch) => session.watch(watch),
                Order::Tick => {}
            }
        } else {
            shared.busy.store(true, Ordering::Release);
            session.simulation_mut().cancel = canceller.token(seen);
            // failed steps are reported in the frame; cancelled steps are dropped
            let _ = session.tick();
            (changed, ended) = (true, ended + 1);
        }
        // while orders keep coming, publish only after the last frame has been taken
        if shared.taken.load(Ordering::Acquire) {
            (changed, shown) = (false, seen);
            shared.publish(session.frame_with(seen, measuring.of(&session, seen)), ended);
        }
    }
}
