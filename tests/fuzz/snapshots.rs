//! Snapshots that are nearly right.

use weft::scene::Snapshot;

use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::{is_sentence, run, try_many};

fn snapshot(random: &mut Random) -> Option<String> {
    let scene = crate::settings::random_scene(random);
    let mut simulation = scene.build().ok()?;
    simulation.step().ok()?;
    Some(Snapshot::of(&scene, &simulation).to_json())
}

#[test]
fn a_snapshot_is_restored_or_refused_in_a_sentence() {
    let mut random = Random::new(0);
    let whole: Vec<String> = (0..40).filter_map(|_| snapshot(&mut random)).collect();
    try_many("snapshots", 3000, |random| {
        let text = mutate(random.choose::<String>(&whole), random);
        let restored = Snapshot::parse(&text, "test.json").and_then(|snapshot| snapshot.restore());
        match restored {
            Ok((scene, mut simulation)) => {
                simulation.parameters.timing.work_limit = simulation.parameters.timing.work_limit.min(1.0);
                run(&scene, &mut simulation, 2)
            }
            Err(error) => is_sentence(&error.to_string()),
        }
    });
}
