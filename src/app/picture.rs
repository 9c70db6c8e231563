//! A picture as it is written to a file.

use std::io::{self, Write};

/// A picture: rows of red, green and blue, from the top.
pub struct Picture {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// One byte per colour.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// Writes it as PNG.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.size[0], self.size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        Ok(writer.finish()?)
    }
}
