//! A hash of what every solver does to a cloth, and of scenes with contact, in one table: `tests/data/golden.json`.
//!
//! The table says which bits a solver gave when it was written, so that a change of numerics is seen where one was meant and
//! where none was. They are the same for any number of threads. The kernels for any processor and those for AVX2 and FMA have a
//! hash each, since they round differently; a machine without the latter compares the former only. A few solvers depend on
//! more of the machine, see [`OF_THE_MACHINE`].
//!
//! Where a change is meant, `WEFT_REWRITE_GOLDEN=1 cargo test --release --test golden` writes the table anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use weft::scene::Scene;
use weft::sim::exec::simd::use_portable_kernels;
use weft::sim::solver_interface::{CriticalStep, Processor};
use weft::sim::{Simulation, solvers};

/// The scenes, each with as many columns and rows as make all loops divide their work: a cloth that hangs from two pins, and one
/// that has come to lie on the table.
const SCENES: [(&str, &str); 2] = [("hanging", "0"), ("table", "0.62")];
const SIZE: &str = "56";
const STEPS: usize = 3;
/// Scenes where cloth meets cloth and edges of colliders, with a solver and a number of steps. They turn by sine and cosine, and
/// so depend on the machine.
const OF_CONTACTS: [(&str, &str, usize); 7] = [
    ("funnel", "projective-dynamics", 40),
    ("gymnast", "projective-dynamics", 80),
    ("heap", "fast-mass-spring", 45),
    ("letters", "projective-dynamics", 30),
    ("stack", "projective-dynamics", 20),
    ("stack", "xpbd", 20),
    ("table", "projective-dynamics", 110),
];
/// Appended to the name of such a scene in `golden.json`.
const WITH_CONTACTS: &str = " with contacts";
/// What the solver uses beside the kernels of this library, so that its hash holds on machines like the one that wrote it only:
/// sine, exponential and hypotenuse of the system's library.
const OF_THE_MACHINE: [&str; 4] = ["harmonic-oscillator", "hybrid", "implicit-euler", "implicit-newton"];

#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
struct Table {
    /// What wrote the hashes of the solvers that depend on the machine.
    machine: String,
    /// Number of steps.
    steps: usize,
    /// Hash by scene, solver and kernels.
    hashes: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>,
}

fn machine() -> String {
    let mut name = format!("{} {}", std::env::consts::ARCH, std::env::consts::OS);
    #[cfg(target_arch = "x86_64")]
    for (feature, known) in
        [("avx2", std::is_x86_feature_detected!("avx2")), ("avx512f", std::is_x86_feature_detected!("avx512f"))]
    {
        if known {
            name = format!("{name} {feature}");
        }
    }
    name
}

fn kernels() -> Vec<(&'static str, bool)> {
    #[cfg(target_arch = "x86_64")]
    if weft::sim::exec::simd::has_fma() {
        return vec![("portable", true), ("avx2 fma", false)];
    }
    vec![("portable", true)]
}

/// The bits of all positions and velocities after so many steps of a case, as a hash.
fn hash(case: &str, build: impl FnOnce() -> Simulation + Send, steps: usize, threads: usize) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut simulation = build();
        for step in 0..steps {
            simulation.step().unwrap_or_else(|error| panic!("{case}, step {step}: {error}"));
        }
        let vectors = simulation.state.cloth.positions.iter().chain(&simulation.state.cloth.velocities);
        let bytes = vectors.flat_map(|x| x.to_array()).flat_map(|number| number.to_bits().to_le_bytes());
        // FNV-1a, which stays what it is from one compiler to the next
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        format!("{hash:016x}")
    })
}

/// A cloth in a scene, with a wave.
fn single_cloth(name: &str, height: &str, solver: &str) -> Simulation {
    let mut scene = Scene::load(name).expect("it comes with the program");
    scene.set("solver", solver).expect("registered");
    for (key, value) in [("columns", SIZE), ("rows", SIZE), ("work_limit", "1e6")] {
        scene.set(key, value).expect("in range");
    }
    // explicit methods explode at the step of a picture
    let capabilities = solvers::build(solver).expect("registered").capabilities();
    let explicit = capabilities.critical_step != CriticalStep::None;
    scene.set("time_step", if explicit { "1e-4" } else { "0.01" }).expect("in range");
    let height: f64 = height.parse().expect("a height");
    if height > 0.0 {
        scene.first.position = Some(weft::sim::Vec3::Y * height);
    }
    let mut simulation = scene.build().expect("a good scene");
    for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
        // sums and products only: the same bits on every machine
        let wave = (i % 7) as f64 - 3.0;
        *v += weft::sim::Vec3::new(0.01 * wave, 0.02 * wave, -0.01 * wave);
    }
    simulation
}

/// A scene where cloth meets cloth and edges of colliders.
fn with_contacts(name: &str, solver: &str) -> Simulation {
    let mut scene = Scene::load(name).expect("it comes with the program");
    let settings = [("solver", solver), ("self_contact", "true"), ("edges", "true"), ("table_shape", "square")];
    for (key, value) in settings {
        scene.set(key, value).expect("in range");
    }
    scene.build().expect("a good scene")
}

// one test, since the choice of kernels is everybody's
#[test]
fn every_solver_gives_the_bits_of_the_table_on_any_number_of_threads() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden.json");
    let mut found = Table { machine: machine(), steps: STEPS, ..Table::default() };
    let mut failures = Vec::new();
    // `others`: numbers of threads that are compared with one thread, with the kernels for any processor and with those for AVX2
    let mut note = |name: &str, solver: &str, others: [&[usize]; 2], hash: &dyn Fn(&str, usize) -> String| {
        let case = format!("{solver}, {name}");
        for (kernels, portable) in kernels() {
            use_portable_kernels(portable);
            let one = hash(&case, 1);
            for &threads in others[usize::from(!portable)] {
                if hash(&case, threads) != one {
                    failures.push(format!("{case}, {kernels}: {threads} threads give other bits than one"));
                }
            }
            let of_scene = found.hashes.entry(name.to_owned()).or_default();
            of_scene.entry(solver.to_owned()).or_default().insert(kernels.to_owned(), one);
        }
    };
    for (name, height) in SCENES {
        // a device rounds as its driver likes
        for entry in solvers::REGISTRY.iter().filter(|entry| entry.info.capabilities.processor == Processor::Host) {
            let solver = entry.info.id;
            // how work is divided does not depend on the kernels
            note(name, solver, [&[3], &[2, 3, 8]], &|case, threads| {
                hash(case, || single_cloth(name, height, solver), STEPS, threads)
            });
        }
    }
    for (name, solver, steps) in OF_CONTACTS {
        let scene = format!("{name}{WITH_CONTACTS}");
        note(&scene, solver, [&[], &[3]], &|case, threads| hash(case, || with_contacts(name, solver), steps, threads));
    }
    use_portable_kernels(false);
    assert!(failures.is_empty(), "{}", failures.join("\n"));

    if std::env::var_os("WEFT_REWRITE_GOLDEN").is_some() {
        let text = serde_json::to_string_pretty(&found).expect("JSON") + "\n";
        std::fs::write(path, text).expect("written");
        return;
    }
    let table: Table = serde_json::from_str(include_str!("data/golden.json")).expect("JSON");
    assert_eq!(table.steps, STEPS);
    let same_machine = table.machine == found.machine;
    for (scene, solvers) in &found.hashes {
        for (solver, hashes) in solvers {
            if (scene.ends_with(WITH_CONTACTS) || OF_THE_MACHINE.contains(&solver.as_str())) && !same_machine {
                continue;
            }
            for (kernels, hash) in hashes {
                let written =
                    table.hashes.get(scene).and_then(|scene| scene.get(solver)).and_then(|of| of.get(kernels));
                if written != Some(hash) {
                    let written = written.map_or("no hash", String::as_str);
                    failures.push(format!("{solver}, {scene}, {kernels}: {hash}, the table has {written}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "WEFT_REWRITE_GOLDEN=1 if this is meant:\n{}", failures.join("\n"));
}
