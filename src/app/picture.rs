//! A picture as it is drawn and written to a file.

use std::io::{self, Write};

use bevy::asset::RenderAssetUsages;
use bevy::prelude::{Assets, Handle, Image};
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};

/// A picture: rows of red, green and blue, from the top.
pub struct Picture {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// One byte per colour.
    pub rgb: Vec<u8>,
}

/// An image of so many pixels that a camera draws into.
pub(super) fn new_target(images: &mut Assets<Image>, [width, height]: [u32; 2]) -> Handle<Image> {
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let (format, usages) = (TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::default());
    let mut image = Image::new_fill(size, TextureDimension::D2, &[0; 4], format, usages);
    image.texture_descriptor.usage |= TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
    images.add(image)
}

impl Picture {
    /// A captured image, shrunk to so many pixels if a size is given; none of a format without
    /// colours.
    pub(super) fn of(image: &Image, size: Option<[u32; 2]>) -> Option<Self> {
        let image = image.clone().try_into_dynamic().ok()?;
        let image = size.map_or_else(|| image.clone(), |[width, height]| image.thumbnail_exact(width, height));
        let rgb = image.into_rgb8();
        Some(Self { size: [rgb.width(), rgb.height()], rgb: rgb.into_raw() })
    }

    /// Writes it as PNG.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.size[0], self.size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // the error of the disk, of which the conversion would leave the words only
        let error = |error: png::EncodingError| match error {
            png::EncodingError::IoError(error) => error,
            other => other.into(),
        };
        let mut writer = encoder.write_header().map_err(error)?;
        writer.write_image_data(&self.rgb).map_err(error)?;
        writer.finish().map_err(error)
    }
}
