//! A session whose device fails: one sentence, and the cloth goes on with `fast-mass-spring` from the last state.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use weft::gpu::{AdapterName, Device, ProjectiveDynamics, choice};
use weft::scene::Scene;
use weft::session::{Command, Session, Worker};
use weft::sim::Simulation;

/// The hanging cloth with its steps made by this device.
fn hanging_on(device: Arc<Device>) -> Session {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("columns", "40"), ("rows", "40"), ("bending_model", "springs")] {
        scene.set(key, value).expect("in range");
    }
    scene.set_solver("gpu-projective-dynamics").expect("registered");
    let known = scene.build().expect("good");
    let solver = Box::new(ProjectiveDynamics::on(device));
    let mut simulation = Simulation::new(known.pattern().clone(), scene.parameters.mass, solver);
    simulation.parameters = known.parameters;
    simulation.state.cloth.clone_from(&known.state.cloth);
    Session::new(scene, simulation)
}

fn advance(session: &mut Session, steps: usize) {
    for _ in 0..steps {
        session.tick().expect("it holds");
    }
}

/// What the cloth comes to when the user chooses the other solver after so many steps.
fn expected(steps: usize, device: Arc<Device>) -> u64 {
    let mut session = hanging_on(device);
    advance(&mut session, steps);
    session.apply(Command::Solver { id: "fast-mass-spring".to_owned() });
    advance(&mut session, 5);
    session.simulation().fingerprint()
}

fn goes_on(session: &mut Session, part: &str) {
    advance(session, 5);
    let sentence = session.device_fault().expect("it is said");
    assert!(sentence.contains(part) && !sentence.contains('\n'), "{sentence}");
    assert!(sentence.ends_with("; the cloth continues with Fast mass-spring"), "{sentence}");
    assert!(session.failure().is_none() && !session.frame(0).paused);
    assert_eq!(session.simulation().solver().info().id, "fast-mass-spring");
}

#[test]
fn a_session_outlives_its_device() {
    let device = choice::open(None).expect("a device");
    let mut session = hanging_on(Arc::clone(&device));
    advance(&mut session, 3);
    device.destroy();
    goes_on(&mut session, "was lost");
    assert_eq!(session.simulation().fingerprint(), expected(3, choice::open(None).expect("a device")));
}

/// Waits for a future of wgpu.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

/// A device that holds no more than so many bytes in one piece.
fn small(bytes: u64) -> Arc<Device> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapters = wait(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let adapter = adapters.first().expect("a device");
    let limits = wgpu::Limits {
        max_storage_buffer_binding_size: bytes,
        max_buffer_size: bytes,
        ..wgpu::Limits::downlevel_defaults()
    };
    let limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 8, ..limits };
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = wait(adapter.request_device(&descriptor)).expect("it opens");
    Device::shared(device, queue, AdapterName::of(&adapter.get_info()))
}

#[test]
fn a_cloth_that_a_device_cannot_hold_goes_on_without_it() {
    // 1600 vertices take 16 bytes each in most arrays, and 64 in one
    let mut session = hanging_on(small(64 << 10));
    goes_on(&mut session, "of this cloth take");
    assert_eq!(session.simulation().fingerprint(), expected(0, choice::open(None).expect("a device")));
    let mut session = hanging_on(small(1 << 20));
    session.tick().expect("it holds");
    assert_eq!(session.device_fault(), None, "there is room");
}

#[test]
fn a_window_may_be_closed_in_the_middle_of_a_step() {
    let device = choice::open(None).expect("a device");
    for _ in 0..3 {
        let (mut worker, _) = Worker::start(hanging_on(Arc::clone(&device)));
        (0..20).for_each(|_| worker.tick());
        std::thread::sleep(std::time::Duration::from_millis(5));
        drop(worker);
    }
    let mut session = hanging_on(device);
    session.tick().expect("the device is well");
    assert_eq!(session.device_fault(), None);
}
