use weft::sim::Vec3;
use weft::sim::contact::{Collider, Shape, Solid};
#[test]
fn debug_shapes() {
    for c in [
        Collider::new(Shape::Sphere { radius: 0.1 }, Vec3::Y),
        Collider::new(Shape::Cylinder { half_height: 0.02, radius: 0.4 }, Vec3::Y),
        Collider::new(Shape::Capsule { half_height: 0.15, radius: 0.075 }, Vec3::Y),
        Collider { shape: Shape::Capsule { half_height: 0.15, radius: 0.075 }, position: Vec3::Y, rotation: Vec3::new(0.,0.,1.5708) },
        Collider::new(Shape::Box { half_extents: Vec3::new(0.4, 0.02, 0.4) }, Vec3::Y),
    ] {
        let s = Solid::new(&c, 0.01);
        for x in [0.0, 0.05, 0.1, 0.2, 0.39] {
            let p = Vec3::new(x, 1.3, 0.01);
            let q = Vec3::new(x, 1.01, 0.01);
            println!("{:?} x={x} nearest {:?} entry {:?}", c.shape, s.nearest(q), s.entry(p, q));
        }
    }
}
