//! Random pointer, keys and text in the real window, recorded as it goes.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use weft::scene::Scene;
use weft::session::{Replay, Verdict};

use super::desk::Desk;
use super::seed::seed;

/// Actions of a run.
const ACTIONS: usize = 160;
/// After so many actions all of them must have had their effect.
const ROUND: usize = 20;

/// Keys and their combinations, all but the one that closes the window.
const KEYS: [&str; 57] = [
    "space",
    "Right",
    "Left",
    "period",
    "comma",
    "r",
    "p",
    "m",
    "f",
    "Home",
    "1",
    "2",
    "3",
    "4",
    "Tab",
    "h",
    "F1",
    "question",
    "Escape",
    "Return",
    "BackSpace",
    "Delete",
    "Up",
    "Down",
    "Prior",
    "Next",
    "End",
    "ctrl+z",
    "ctrl+shift+z",
    "ctrl+y",
    "ctrl+k",
    "ctrl+a",
    "ctrl+c",
    "ctrl+v",
    "ctrl+x",
    "ctrl+s",
    "ctrl+e",
    "ctrl+o",
    "alt+Return",
    "shift+Tab",
    "minus",
    "c",
    "x",
    "shift+p",
    "e",
    "b",
    "l",
    "g",
    "t",
    "s",
    "F2",
    "ctrl+d",
    "KP_1",
    "KP_3",
    "KP_7",
    "KP_5",
    "KP_Decimal",
];

/// What a person may type into a field: numbers good and bad, names, nonsense.
const TEXTS: [&str; 12] =
    ["0", "-1", "1e9", "0.003", "1,5", "nan", "xpbd", "wind", "silk", "a b c", "%$!", "99999999999999999999"];

/// A place on the screen [pixels].
type Place = (i32, i32);

#[derive(Debug, Clone)]
enum Action {
    Click(Place, u32),
    Drag(Place, Place, u32, Option<&'static str>),
    /// One of the controls on the screen, by a share of their list.
    Control(prop::sample::Index),
    Key(&'static str),
    Text(&'static str),
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let anywhere = || (0..900, 0..560);
    // the cloth is in the middle of the view most of the time
    let at_the_cloth = || (480..760, 160..420);
    let held = prop::option::weighted(0.3, prop::sample::select(vec!["shift", "ctrl", "alt"]));
    prop::collection::vec(
        prop_oneof![
            2 => (anywhere(), 1..=5_u32).prop_map(|(place, button)| Action::Click(place, button)),
            2 => (at_the_cloth(), 1..=5_u32).prop_map(|(place, button)| Action::Click(place, button)),
            3 => (at_the_cloth(), anywhere(), 1..=3_u32, held)
                .prop_map(|(from, to, button, held)| Action::Drag(from, to, button, held)),
            6 => any::<prop::sample::Index>().prop_map(Action::Control),
            4 => prop::sample::select(&KEYS[..]).prop_map(Action::Key),
            1 => prop::sample::select(&TEXTS[..]).prop_map(Action::Text),
        ],
        ACTIONS,
    )
}

fn act(desk: &mut Desk, action: &Action) {
    match action {
        Action::Click(place, button) => {
            desk.move_to(*place);
            desk.button("click", *button);
        }
        Action::Drag(from, to, button, held) => {
            desk.move_to(*from);
            held.iter().for_each(|key| desk.hold_key("keydown", key));
            desk.button("mousedown", *button);
            for step in 1..=4 {
                desk.move_to((from.0 + (to.0 - from.0) * step / 4, from.1 + (to.1 - from.1) * step / 4));
            }
            desk.button("mouseup", *button);
            held.iter().for_each(|key| desk.hold_key("keyup", key));
        }
        Action::Control(index) => {
            let places = desk.places();
            desk.move_to(*index.get(&places));
            desk.button("click", 1);
        }
        Action::Key(key) => desk.key(key),
        Action::Text(text) => desk.type_text(text),
    }
}

#[test]
#[ignore = "full tier"]
fn a_monkey_finds_no_fault_and_what_it_did_is_repeated_bit_for_bit() {
    let seed = seed();
    println!("WEFT_TEST_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let actions = actions().new_tree(&mut runner).expect("no filters").current();

    let mut desk = Desk::open(&["--scene", Scene::FIRST, "--quality", "low", "--record", "done.jsonl"]);
    for round in actions.chunks(ROUND) {
        println!("{round:?}");
        round.iter().for_each(|action| act(&mut desk, action));
        desk.settle();
    }
    let (_, folder) = desk.quit();
    let text = std::fs::read_to_string(folder.path().join("done.jsonl")).expect("written as it goes");
    let replay = Replay::parse(&text, "done.jsonl").expect("as it was written");
    assert_eq!(replay.run(0.0, |_| {}, |_, _| true), Ok(Verdict::Identical), "{} steps", replay.steps);
}
