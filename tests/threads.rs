//! Tests with several threads. One test after the other: only one pool at a time has workers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use weft::sim::contact::{Table, TableShape};
use weft::sim::exec::pool::{Autotuner, Breaks, Chunks, Shared, ThreadPool, is_late};
use weft::sim::forces::air::AirMode;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::{Cloth, Pattern, Simulation, Vec3, solvers};

static TURN: Mutex<()> = Mutex::new(());

/// Runs `work` where there are so many threads, when nobody else does.
fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

#[test]
fn every_task_is_done_once_and_every_entry_changed_once() {
    for threads in [1, 2, 3, 8] {
        on_threads(threads, || {
            ThreadPool::run(true, |pool| {
                for length in [0, 1, 2, 7, 1000, 70_000] {
                    let mut counts = vec![0_u32; length];
                    pool.update(&mut counts, 3, |i, count| *count += 1 + i as u32);
                    assert!(counts.iter().zip(1..).all(|(count, expected)| *count == expected), "{length} entries");
                    let tasks = AtomicUsize::new(0);
                    pool.for_each(length, |_| {
                        tasks.fetch_add(1, Ordering::Relaxed);
                    });
                    assert_eq!(tasks.into_inner(), length);
                }
                let (mut numbers, mut chunks) = (vec![0_usize; 5], vec![0_usize; 23]);
                pool.change((Shared::new(&mut numbers), Chunks::new(&mut chunks, 5)), 1, |range, (number, chunk)| {
                    number[0] = chunk.len();
                    chunk.fill(range.start);
                });
                assert_eq!(numbers, [5, 5, 5, 5, 3]);
                assert!(chunks.iter().enumerate().all(|(i, chunk)| *chunk == i / 5));
            });
        });
    }
}

/// Compiles for a type that is not `Sync`, and is ambiguous for one that is.
trait NotSync<A> {
    fn holds() -> bool {
        true
    }
}
impl<T: ?Sized> NotSync<()> for T {}
impl<T: ?Sized + Sync> NotSync<u8> for T {}

#[test]
fn a_pool_cannot_be_handed_to_another_thread_nor_to_its_own_tasks() {
    assert!(<ThreadPool as NotSync<_>>::holds());
}

#[test]
fn a_task_that_smuggles_its_pool_in_runs_its_loop_alone() {
    // what a thread-local variable can do on the caller's own thread; the address is used while the pool lasts
    struct Smuggled(*const ());
    unsafe impl Sync for Smuggled {}
    on_threads(3, || {
        ThreadPool::run(true, |pool| {
            let smuggled = Smuggled(std::ptr::from_ref(pool).cast());
            let own = std::thread::current().id();
            let count = AtomicUsize::new(0);
            for _ in 0..200 {
                pool.for_each(6, |_| {
                    let whole = &smuggled;
                    if std::thread::current().id() == own {
                        // SAFETY: this is the thread that the pool was given to.
                        let pool = unsafe { &*whole.0.cast::<ThreadPool>() };
                        pool.for_each(4, |_| {
                            assert_eq!(std::thread::current().id(), own);
                            count.fetch_add(1, Ordering::Relaxed);
                        });
                    } else {
                        count.fetch_add(4, Ordering::Relaxed);
                    }
                });
            }
            assert_eq!(count.into_inner(), 200 * 24);
        });
    });
}

#[test]
fn a_pool_in_a_task_and_pools_in_several_threads_work_side_by_side() {
    on_threads(3, || {
        let count = AtomicUsize::new(0);
        let add = |pool: &ThreadPool| {
            pool.for_each(50, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        };
        ThreadPool::run(true, |pool| {
            pool.for_each(10, |_| ThreadPool::run(true, add));
        });
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| ThreadPool::run(true, add));
            }
        });
        assert_eq!(count.into_inner(), 14 * 50);
    });
}

#[test]
fn a_task_that_panics_ends_the_loop_and_the_next_pool_works() {
    for threads in [1, 2, 8] {
        on_threads(threads, || {
            for bad in [0, 17, 99] {
                let begun = AtomicUsize::new(0);
                let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    ThreadPool::run(true, |pool| {
                        pool.for_each(100, |task| {
                            begun.fetch_add(1, Ordering::Relaxed);
                            assert!(task != bad, "it was to panic");
                        });
                        unreachable!("the loop does not return");
                    })
                }));
                assert!(caught.is_err());
                assert!((1..=100).contains(&begun.into_inner()));
                let mut entries = vec![0; 1000];
                ThreadPool::run(true, |pool| pool.update(&mut entries, 8, |i, entry| *entry = i));
                assert!(entries.iter().enumerate().all(|(i, entry)| i == *entry));
            }
        });
    }
}

#[test]
fn two_calls_side_by_side_give_what_both_return_and_a_panic_of_either_comes_through() {
    for threads in [1, 2, 3] {
        on_threads(threads, || {
            let (mut left, mut right) = (vec![0; 100], String::new());
            let both = ThreadPool::run(true, |pool| {
                let fill = || left.iter_mut().enumerate().map(|(i, entry)| std::mem::replace(entry, i)).sum::<usize>();
                let write = || {
                    right.push_str("written");
                    right.len()
                };
                pool.join(fill, write)
            });
            assert_eq!((both, left[99], &right[..]), ((0, 7), 99, "written"));
            for bad in [0, 1] {
                let work = |number: i32| move || assert!(number != bad, "it was to panic");
                let join = || ThreadPool::run(true, |pool| pool.join(work(0), work(1)));
                assert!(std::panic::catch_unwind(join).is_err());
            }
        });
    }
}

#[test]
fn a_pool_whose_workers_do_not_come_ends_without_them() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // this thread is not of the pool, all of which is busy with something else
    let (begun, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    for _ in 0..rayon::current_num_threads() {
        let (begun, over) = (Arc::clone(&begun), Arc::clone(&over));
        rayon::spawn(move || {
            begun.fetch_add(1, Ordering::Relaxed);
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
    }
    while begun.load(Ordering::Relaxed) < rayon::current_num_threads() {
        std::thread::yield_now();
    }
    let fill = || {
        let mut entries = vec![0; 5000];
        ThreadPool::run(true, |pool| pool.update(&mut entries, 8, |i, entry| *entry = i));
        assert!(entries.iter().enumerate().all(|(i, entry)| i == *entry));
    };
    // more often than workers are called in vain
    (0..200).for_each(|_| fill());
    // it did not wait for them: they are busy until now
    over.store(true, Ordering::Relaxed);
    (0..200).for_each(|_| fill());
}

/// Seconds per step in the last half of so many `seconds`, where a step takes `with` workers what that says of the time, and
/// `without` them always as long.
fn timed(seconds: f64, with: impl Fn(f64) -> f64, without: f64) -> f64 {
    let mut trial = Autotuner::new([0; 2]);
    let (mut time, mut start, mut steps) = (0.0, 0.0, 0);
    while time < seconds {
        let step = if trial.is_together([1, 2]) { with(time) } else { without };
        trial.hear(step);
        time += step;
        if time < seconds / 2.0 {
            start = time;
        } else {
            steps += 1;
        }
    }
    (time - start) / f64::from(steps)
}

#[test]
fn copies_and_questions_about_all_parts_are_those_of_one_thread() {
    for threads in [1, 2, 8] {
        on_threads(threads, || {
            ThreadPool::run(true, |pool| {
                for length in [0, 1, 1000, 70_001] {
                    let numbers: Vec<f64> = (0..length).map(f64::from).collect();
                    let mut copy = vec![-1.0; 1000];
                    pool.copy(&numbers, &mut copy);
                    assert_eq!(copy, numbers);
                    copy.fill(0.0);
                    pool.copy(&numbers, &mut copy);
                    assert_eq!(copy, numbers);
                    let all_below =
                        |most: f64| pool.all(numbers.len(), 100, |range| numbers[range].iter().all(|n| *n < most));
                    assert!(all_below(f64::from(length)));
                    assert!(length == 0 || !all_below(f64::from(length - 1)));
                }
            });
        });
    }
}

#[test]
fn workers_stay_where_they_save_time_and_go_where_they_cost_some() {
    // a quiet machine, small steps and large ones
    assert!(timed(20.0, |_| 0.6e-3, 1e-3) < 1.01 * 0.6e-3);
    assert!(timed(100.0, |_| 0.06, 0.1) < 1.03 * 0.06);
    // now and then one is late
    let now_and_then = |time: f64| if time.fract() < 0.01 { 5e-3 } else { 0.6e-3 };
    assert!(timed(20.0, now_and_then, 1e-3) < 0.72e-3);
    // a busy machine
    assert!(timed(20.0, |_| 1.6e-3, 1e-3) < 1.01e-3);
    assert!(timed(100.0, |_| 0.16, 0.1) < 1.03 * 0.1);
    // long steps of which some are tried in another way first, as it happens while there are workers
    let first = [0.058, 0.025, 0.085];
    let mut trial = Autotuner::new([0; 2]);
    for with in first {
        for step in [with, 0.044] {
            let _ = trial.is_together([1, 2]);
            trial.hear(step);
        }
    }
    assert!(trial.is_together([1, 2]), "25 ms with them is less than 44 ms");
    // one that becomes quiet, and one that becomes busy
    assert!(timed(60.0, |time| if time < 15.0 { 1.6e-3 } else { 0.6e-3 }, 1e-3) < 1.01 * 0.6e-3);
    assert!(timed(60.0, |time| if time < 15.0 { 0.6e-3 } else { 1.6e-3 }, 1e-3) < 1.01e-3);
    // without a clock nobody can tell
    let mut trial = Autotuner::new([0; 2]);
    for _ in 0..10_000 {
        assert!(trial.is_together([1, 2]));
        trial.hear(0.0);
    }
}

/// How many loops of so many seconds each the pool runs alone after workers have come late so often in a row.
fn alone_after(late: u32, seconds: f64) -> u32 {
    let (mut breaks, mut now) = (Breaks::new(), 3.0);
    for _ in 0..late {
        breaks.hear(true, now);
    }
    let mut count = 0;
    while breaks.rests(now) {
        count += 1;
        now += seconds;
    }
    count
}

#[test]
fn breaks_without_workers_grow_in_loops_but_end_in_time_where_loops_are_long() {
    // loops of a small cloth, and where no clock is
    for seconds in [0.0, 1e-6, 10e-6] {
        assert_eq!([1, 2, 5].map(|late| alone_after(late, seconds)), [128, 256, 2048], "{seconds} s");
    }
    assert_eq!(alone_after(30, 10e-6), 32_768);
    // a million vertices
    assert!((1..=2).contains(&alone_after(1, 5e-3)));
    assert!(alone_after(30, 5e-3) <= 132);
}

#[test]
fn a_calm_makes_the_next_break_a_short_one_by_loops_or_by_time() {
    for (loops, seconds) in [(16_384, 0.0), (16_384, 10e-6), (67, 5e-3)] {
        let (mut breaks, mut now) = (Breaks::new(), 0.0);
        (0..10).for_each(|_| breaks.hear(true, now));
        for _ in 0..loops {
            now += seconds;
            breaks.hear(false, now);
        }
        breaks.hear(true, now);
        let count = (0..).take_while(|_| breaks.rests(now)).count();
        assert_eq!(count, 128, "after {loops} loops of {seconds} s");
    }
}

#[test]
fn a_worker_is_late_that_keeps_the_caller_waiting_longer_than_all_of_its_own_tasks_took() {
    // it has lost its processor in a short loop
    assert!(is_late(10_000, 20e-6, 4e-3));
    // its last task is a long one of many
    assert!(!is_late(10_000, 2e-3, 0.7e-3));
    // what a worker takes to come
    assert!(!is_late(100, 1e-6, 2e-6));
    // without a clock the pauses decide
    assert!(is_late(10_000, 0.0, 0.0) && !is_late(100, 0.0, 0.0));
}

/// A cloth that is cut further with every step, from the rim into its middle.
fn cut_open(solver: &str) -> Cloth {
    let pattern = Pattern::grid(45, 41, 1.0, 1.0, Plane::Xz);
    let mut simulation = Simulation::new(pattern, Mass::default(), solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(44);
    for row in 0..30_u32 {
        let here = 45 * row + 22;
        assert!(simulation.cut(&[[here, here + 45]]) > 0);
        simulation.step().expect("stable");
    }
    simulation.state.cloth
}

#[test]
fn a_cloth_that_comes_apart_has_the_same_bits_on_any_number_of_threads() {
    for solver in ["projective-dynamics", "fast-mass-spring"] {
        let one = on_threads(1, || cut_open(solver));
        for threads in [2, 3, 8] {
            assert!(on_threads(threads, || cut_open(solver)) == one, "{solver} on {threads} threads");
        }
    }
}

/// A cloth that falls on the table and drapes; some of it hangs over the edge.
fn draped(solver: &str, steps: usize) -> (Cloth, usize) {
    let pattern = Pattern::grid(41, 41, 1.3, 1.3, Plane::Xz);
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.table =
        Table { table: true, table_shape: TableShape::Round, table_width: 0.75, table_height: 0.6 };
    simulation.parameters.contact.thickness = 0.013;
    simulation.parameters.air.air = AirMode::Still;
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x += Vec3::new(-0.65, 0.614, -0.65));
    // moves while it lies there
    simulation.state.cloth.pin_here(0);
    for _ in 0..steps {
        simulation.step().expect("stable");
    }
    let lies = simulation.state.cloth.positions.iter().filter(|x| (x.y - 0.613).abs() < 1e-3).count();
    (simulation.state.cloth, lies)
}

#[test]
fn a_cloth_on_the_table_has_the_same_bits_on_any_number_of_threads() {
    let mut differ = Vec::new();
    for solver in ["xpbd", "pbd", "soft-constraints", "projective-dynamics", "implicit-euler", "fast-mass-spring"] {
        let (one, lies) = on_threads(1, || draped(solver, 10));
        assert!(lies > 100, "{solver}: only {lies} vertices lie on the table");
        for threads in [2, 3, 8] {
            if on_threads(threads, || draped(solver, 10)).0 != one {
                differ.push((solver, threads));
            }
        }
    }
    assert!(differ.is_empty(), "{differ:?}");
}

#[test]
fn accelerated_iterations_have_the_same_bits_on_any_number_of_threads() {
    for acceleration in ["chebyshev", "anderson", "quasi_newton"] {
        let run = |threads| {
            on_threads(threads, || {
                let pattern = Pattern::grid(60, 60, 1.0, 1.0, Plane::Xz);
                let solver = solvers::build("projective-dynamics").expect("registered");
                let mut simulation = Simulation::new(pattern, Mass::default(), solver);
                let settings = simulation.solver_mut().settings_mut();
                for (key, value) in [("acceleration", acceleration), ("triangle_strain", "true")] {
                    settings.set_text(key, value).expect("in range");
                }
                simulation.parameters.table = Table { table: true, table_height: 0.6, ..Table::default() };
                simulation.state.cloth.positions.iter_mut().for_each(|x| *x += Vec3::new(-0.5, 0.62, -0.5));
                simulation.state.cloth.pin_here(0);
                for _ in 0..10 {
                    simulation.step().expect("stable");
                }
                simulation.state.cloth
            })
        };
        let one = run(1);
        for threads in [2, 3, 8] {
            assert!(run(threads) == one, "{acceleration} on {threads} threads");
        }
    }
}

#[test]
fn colours_solved_on_several_threads_have_the_same_bits() {
    for solver in ["xpbd", "pbd", "soft-constraints", "vertex-block-descent"] {
        let run = |threads| {
            on_threads(threads, || {
                let pattern = Pattern::grid(60, 60, 1.0, 1.0, Plane::Xz);
                let mut simulation =
                    Simulation::new(pattern, Mass::default(), solvers::build(solver).expect("registered"));
                if let Some(hinges) = simulation.solver().settings().index_of("hinge_frequency") {
                    let five = weft::sim::params::Setting::Real(5.0);
                    simulation.solver_mut().settings_mut().set(hinges, five).expect("in range");
                }
                simulation.parameters.contact.ground = false;
                simulation.state.cloth.pin_here(0);
                for _ in 0..4 {
                    simulation.step().expect("stable");
                }
                simulation.state.cloth
            })
        };
        let one = run(1);
        for threads in [2, 3, 8] {
            assert!(run(threads) == one, "{solver} on {threads} threads");
        }
    }
}
