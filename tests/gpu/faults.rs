//! What can go wrong with a device: a sentence each, and the cloth goes on with another solver from where it is.

use weft::gpu::array::Array;
use weft::gpu::{DeviceFault, ProjectiveDynamics, choice};
use weft::sim::model::material::Mass;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, StepError};

use crate::cloths::advance;

#[test]
fn the_devices_of_the_machine_have_names_and_one_can_be_chosen_by_a_part_of_it() {
    let known = choice::adapters();
    assert!(!known.is_empty(), "these tests need a Vulkan, Metal or DirectX 12 device; a software one will do");
    let part: String = known[0].name.chars().take(5).collect::<String>().to_uppercase();
    let device = choice::open(Some(&part)).expect("it is there");
    assert_eq!(device.name(), &known[0]);
    let instead = choice::open_preferred("a card that was taken out").expect("the first there is");
    assert_eq!(instead.name(), &known[0]);
    let fault = choice::open(Some("no such card")).expect_err("there is none");
    assert!(matches!(fault, DeviceFault::Unknown { .. }));
    let sentence = fault.to_string();
    assert!(sentence.contains("no such card") && sentence.contains(&known[0].name), "{sentence}");
}

#[test]
fn a_cloth_goes_on_with_another_solver_when_the_device_is_lost() {
    let device = choice::open(None).expect("a device");
    let pattern = Pattern::grid(10, 10, 1.0, 1.0, Plane::Xz);
    let solver = Box::new(ProjectiveDynamics::on(device.clone()));
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    simulation.state.cloth.pin_here(0);
    advance(&mut simulation, 3);
    let before = simulation.state.cloth.clone();
    device.destroy();
    assert!(device.is_lost());
    for _ in 0..2 {
        let error = simulation.step().expect_err("its device is gone");
        let StepError::Device(sentence) = &error else { panic!("{error:?}") };
        assert!(sentence.contains("lost") && sentence.contains(&device.name().name), "{sentence}");
        assert_eq!(simulation.state.cloth, before, "the cloth stays where it was");
    }
    assert!(simulation.set_solver("fast-mass-spring"));
    advance(&mut simulation, 3);
    // and another device takes over where this one was
    assert!(simulation.set_solver("gpu-projective-dynamics"));
    let error = simulation.step().expect_err("it was made for that device");
    assert!(matches!(error, StepError::Device(_)));
}

#[test]
fn an_array_that_a_device_cannot_hold_is_refused_with_its_size() {
    let device = choice::current().expect("a device");
    let mut array = Array::storage("the springs");
    let most = usize::try_from(device.largest_array()).expect("it fits");
    // limits of drivers need not be whole entries of 16 bytes
    let bytes = (most + 16).next_multiple_of(16);
    let fault = array.reserve(&device, bytes).expect_err("too large");
    let DeviceFault::TooLarge { what, needed, most: stated, .. } = &fault else { panic!("{fault:?}") };
    assert_eq!((*what, *needed, *stated), ("the springs", bytes as u64, most as u64));
    assert!(fault.to_string().contains("the springs of this cloth"), "{fault}");
    // and it can be used on
    assert!(array.reserve(&device, 1024).expect("it fits"));
    assert!(!array.reserve(&device, 1000).expect("it fits"));
}

#[test]
fn what_is_wrong_with_a_command_comes_as_a_sentence_and_not_as_a_panic() {
    let device = choice::open(None).expect("a device");
    let done = device.attempt(|| {
        let source = wgpu::ShaderSource::Wgsl("this is no shader".into());
        drop(device.wgpu().create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source }));
        Ok(())
    });
    let fault = done.expect_err("it does not compile");
    assert!(matches!(fault, DeviceFault::Failed { .. }) && !fault.to_string().contains('\n'), "{fault}");
    assert!(!device.is_lost(), "the device itself is well");
    assert_eq!(device.attempt(|| Ok(7)), Ok(7));
}
