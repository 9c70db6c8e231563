//! A texture whose image changes again and again. A new image is shown a frame after it was given
//! to the device: until it is there nothing would be drawn.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions};

/// The texture, once there is one.
#[derive(Default)]
pub struct MovingTexture {
    texture: Option<TextureHandle>,
    /// What it will look like, on its way to the device since a frame.
    next: Option<(TextureHandle, u64)>,
    /// A texture that is free, and the newest image that no texture has.
    spare: Option<TextureHandle>,
    image: Option<ColorImage>,
    last: Option<Arc<ColorImage>>,
}

impl MovingTexture {
    /// Takes an image in place of those that are not shown yet.
    pub fn take(&mut self, image: ColorImage) {
        self.image = Some(image);
    }

    /// Brings the newest image to the screen.
    pub fn show(&mut self, ctx: &Context, name: &str) {
        let frame = ctx.cumulative_frame_nr();
        if let Some((next, _)) = self.next.take_if(|(_, since)| frame > *since) {
            self.spare = self.texture.replace(next);
        }
        if self.next.is_some() {
            return;
        }
        let Some(image) = self.image.take().map(Arc::new) else { return };
        self.last = Some(Arc::clone(&image));
        let options = TextureOptions::LINEAR;
        let texture = match self.spare.take() {
            Some(mut texture) => {
                texture.set(image, options);
                texture
            }
            None => ctx.load_texture(name, image, options),
        };
        self.next = Some((texture, frame));
    }

    /// What is shown, if anything.
    #[must_use]
    pub fn shown(&self) -> Option<TextureId> {
        self.texture.as_ref().map(TextureHandle::id)
    }

    /// The last image that a texture got.
    #[must_use]
    pub const fn last(&self) -> Option<&Arc<ColorImage>> {
        self.last.as_ref()
    }

    /// Whether an image is on its way to the screen.
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        self.next.is_some() || self.image.is_some()
    }
}
