//! The picture that is printed on the cloth, read once.

use std::io::Cursor;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

use crate::app::session::SessionHandle;
use crate::scene::{check_picture, fault_of_picture};

/// Most pixels along a side: finer ones would flicker.
const MOST: u32 = 1024;

/// The picture of the present scene.
#[derive(Resource, Default)]
pub struct Printed {
    file: Option<String>,
    /// The picture, if there is one that can be read.
    pub image: Option<Handle<Image>>,
    /// Error of reading, until it has been reported.
    pub fault: Option<String>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Printed>().add_systems(Update, follow);
}

fn follow(session: Res<SessionHandle>, mut printed: ResMut<Printed>, mut images: ResMut<Assets<Image>>) {
    let wanted = &session.frame().scene.image;
    if printed.file == *wanted {
        return;
    }
    printed.file.clone_from(wanted);
    let read = wanted.as_deref().map(read).transpose();
    match read {
        Ok(image) => printed.image = image.map(|image| images.add(image)),
        Err(error) => {
            let sentence = format!("{}: the picture cannot be read: {error}", wanted.as_deref().unwrap_or_default());
            error!("{sentence}");
            (printed.image, printed.fault) = (None, Some(sentence));
        }
    }
}

fn read(file: &str) -> Result<Image, String> {
    check_picture(file).map_err(|error| error.message().to_owned())?;
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let ([width, height], pixels) = decode(&bytes).map_err(|error| error.to_string())?;
    let (size, format) = (Extent3d { width, height, depth_or_array_layers: 1 }, TextureFormat::Rgba8UnormSrgb);
    let whole = Image::new(size, TextureDimension::D2, pixels, format, RenderAssetUsages::default());
    let mut image = if width.max(height) > MOST {
        let small = whole.try_into_dynamic().map_err(|error| error.to_string())?.thumbnail(MOST, MOST);
        Image::from_dynamic(small, true, RenderAssetUsages::default())
    } else {
        whole
    };
    image.sampler = ImageSampler::linear();
    Ok(image)
}

/// Width, height and pixels, each as red, green, blue and alpha, of a PNG picture of any kind.
///
/// # Errors
/// The error of the decoder.
pub fn decode(bytes: &[u8]) -> Result<([u32; 2], Vec<u8>), png::DecodingError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info()?;
    let (width, height) = reader.info().size();
    if fault_of_picture([width, height]).is_some() {
        return Err(png::DecodingError::LimitsExceeded);
    }
    let mut pixels = vec![0; reader.output_buffer_size().ok_or(png::DecodingError::LimitsExceeded)?];
    let info = reader.next_frame(&mut pixels)?;
    pixels.truncate(info.buffer_size());
    if info.color_type == png::ColorType::GrayscaleAlpha {
        pixels = pixels.as_chunks::<2>().0.iter().flat_map(|[grey, alpha]| [*grey, *grey, *grey, *alpha]).collect();
    }
    Ok(([info.width, info.height], pixels))
}
