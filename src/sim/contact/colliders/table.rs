//! The table that any scene can have, by one switch.

use super::collider::Collider;
use super::shape::Shape;
use crate::sim::params::{Kind, linear};
use crate::sim::{Real, Vec3};

crate::choices! {
    /// Shape of the table top.
    pub enum TableShape {
        /// A round top: the cloth falls in smooth folds all around.
        Round = "round",
        /// A square top: the cloth hangs in points at the corners.
        Square = "square",
    }
}

const fn needs_table(table: &Table) -> Option<&'static str> {
    if table.table { None } else { Some("the table is off") }
}

crate::parameters! {
    /// A table centred at the origin.
    pub struct Table {
        /// Table on or off.
        pub table: bool = false, "Table", "", Kind::Toggle;
        /// Shape of its top.
        pub table_shape: TableShape = TableShape::Round, "Shape", "", TableShape::KIND, idle needs_table;
        /// Width or diameter of its top.
        pub table_width: Real = 0.8, "Width", "m", linear(0.1, 3.0), idle needs_table;
        /// Height of its top.
        pub table_height: Real = 0.6, "Height", "m", linear(0.1, 2.0), idle needs_table;
    }
}

impl Table {
    /// Thickness of the board [m].
    const BOARD: Real = 0.03;
    /// How far the board stands out over the apron under it [m].
    const OVERHANG: Real = 0.015;
    /// Height of the apron [m]. Without one, the edge of a coarse cloth can slip under the board
    /// and hook there.
    const APRON: Real = 0.12;
    /// Radius of the foot [m].
    const FOOT: Real = 0.05;

    /// Its parts, none when it is not there: board, apron, foot.
    pub fn colliders(&self) -> impl Iterator<Item = Collider> + use<> {
        let Self { table, table_shape, table_width, table_height } = *self;
        let slab = |top: Real, bottom: Real, half_width: Real| {
            let half_height = 0.5 * (top - bottom);
            let shape = match table_shape {
                TableShape::Round => Shape::Cylinder { half_height, radius: half_width },
                TableShape::Square => Shape::Box { half_extents: Vec3::new(half_width, half_height, half_width) },
            };
            Collider::new(shape, Vec3::Y * (0.5 * (top + bottom)))
        };
        let under_board = table_height - Self::BOARD;
        let under_apron = (under_board - Self::APRON).max(0.5 * under_board);
        let foot = Shape::Cylinder { half_height: 0.5 * under_apron, radius: Self::FOOT.min(0.25 * table_width) };
        let parts = [
            slab(table_height, under_board, 0.5 * table_width),
            slab(under_board, under_apron, 0.5 * table_width - Self::OVERHANG),
            Collider::new(foot, Vec3::Y * (0.5 * under_apron)),
        ];
        parts.into_iter().filter(move |_| table)
    }
}
