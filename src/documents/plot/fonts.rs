//! Texts as glyphs for PDF files.
//!
//! Letters are taken from the fonts that egui comes with, so that a file has the same bytes on any
//! machine, and from the fonts of the system only where those lack a letter.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use epaint_default_fonts::{EMOJI_ICON, HACK_REGULAR, NOTO_EMOJI_REGULAR, UBUNTU_LIGHT};
use fontdb::{Database, FaceInfo, Style};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, UnicodeBuffer};
use unicode_bidi::BidiInfo;
use unicode_script::{Script, UnicodeScript};

/// A font that letters are taken from.
struct Typeface {
    data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    index: u32,
    font: Font,
}

impl Typeface {
    fn new(data: Arc<dyn AsRef<[u8]> + Send + Sync>, index: u32) -> Option<Self> {
        let font = Font::new(Arc::clone(&data).into(), index)?;
        let typeface = Self { data, index, font };
        typeface.face().is_some().then_some(typeface)
    }

    fn face(&self) -> Option<Face<'_>> {
        Face::from_slice((*self.data).as_ref(), self.index)
    }

    fn has(&self, letter: char) -> bool {
        self.face().is_some_and(|face| face.glyph_index(letter).is_some())
    }
}

/// Glyphs of one font, from left to right.
pub(super) struct Run {
    pub font: Font,
    pub glyphs: Vec<KrillaGlyph>,
    /// The letters that they stand for.
    pub text: String,
    /// Width, in the size of the font.
    pub width: f32,
}

/// The fonts of a file: those that come with the program, and those that were needed besides.
pub(super) struct Fonts {
    typefaces: Vec<Typeface>,
    /// Whether letters are looked for among the fonts of the system.
    with_system: bool,
}

impl Fonts {
    /// Those that come with the program, and where they lack letters those of the system.
    pub fn new() -> Self {
        Self { with_system: true, ..Self::own() }
    }

    /// Those that come with the program.
    pub fn own() -> Self {
        let own = [UBUNTU_LIGHT, HACK_REGULAR, NOTO_EMOJI_REGULAR, EMOJI_ICON];
        let typefaces = own.into_iter().filter_map(|data| Typeface::new(Arc::new(data), 0)).collect();
        Self { typefaces, with_system: false }
    }

    /// A line of text as glyphs from left to right, whatever the directions of its scripts.
    pub fn runs(&mut self, text: &str) -> Vec<Run> {
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        let order = BidiInfo::new(&text, None);
        let mut runs = Vec::new();
        for paragraph in &order.paragraphs {
            let (levels, parts) = order.visual_runs(paragraph, paragraph.range.clone());
            for part in parts {
                let direction =
                    if levels[part.start].is_rtl() { Direction::RightToLeft } else { Direction::LeftToRight };
                let mut of_fonts = self.by_font(&text, part);
                if direction == Direction::RightToLeft {
                    of_fonts.reverse();
                }
                runs.extend(of_fonts.into_iter().filter_map(|(font, range)| self.shape(font, &text[range], direction)));
            }
        }
        runs
    }

    /// The parts of a range that have one font and one script each, with the number of the font.
    fn by_font(&mut self, text: &str, range: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
        let mut script = Script::Common;
        for (at, letter) in text[range.clone()].char_indices() {
            let (start, end) = (range.start + at, range.start + at + letter.len_utf8());
            let before = parts.last().map(|(font, _)| *font);
            // marks and spaces stay with their letters
            let font = before.filter(|font| !letter.is_alphanumeric() && self.typefaces[*font].has(letter));
            let font = font.unwrap_or_else(|| self.font_of(letter));
            let (own, before) = (letter.script(), script);
            let is_any = |script| matches!(script, Script::Common | Script::Inherited);
            script = if is_any(own) { before } else { own };
            match parts.last_mut() {
                Some((last, part)) if *last == font && (script == before || is_any(before)) => part.end = end,
                _ => parts.push((font, start..end)),
            }
        }
        parts
    }

    /// The number of the font of a letter; the first one draws an empty box for letters that none
    /// has.
    fn font_of(&mut self, letter: char) -> usize {
        if let Some(font) = self.typefaces.iter().position(|typeface| typeface.has(letter)) {
            return font;
        }
        let Some(typeface) = self.with_system.then(|| of_the_system(letter)).flatten() else { return 0 };
        self.typefaces.push(typeface);
        self.typefaces.len() - 1
    }

    fn shape(&self, font: usize, text: &str, direction: Direction) -> Option<Run> {
        let typeface = self.typefaces.get(font)?;
        let face = typeface.face()?;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        let shaped = rustybuzz::shape(&face, &[], buffer);
        let em = |length: i32| length as f32 / face.units_per_em() as f32;
        // the letters of a glyph are those up to the next one in the text
        let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        starts.sort_unstable();
        let end = |start: usize| starts.iter().copied().find(|other| *other > start).unwrap_or(text.len());
        let glyphs: Vec<KrillaGlyph> = (shaped.glyph_infos().iter().zip(shaped.glyph_positions()))
            .map(|(info, place)| {
                let [advance, x, y, up] = [place.x_advance, place.x_offset, place.y_offset, place.y_advance].map(em);
                let start = info.cluster as usize;
                KrillaGlyph::new(GlyphId::new(info.glyph_id), advance, x, y, up, start..end(start), None)
            })
            .collect();
        let width = glyphs.iter().map(|glyph| glyph.x_advance).sum();
        Some(Run { font: typeface.font.clone(), glyphs, text: text.to_owned(), width })
    }
}

/// The font of the system that has a letter and is nearest to plain, if there is one.
fn of_the_system(letter: char) -> Option<Typeface> {
    static SYSTEM: OnceLock<(Database, Vec<fontdb::ID>)> = OnceLock::new();
    let (database, order) = SYSTEM.get_or_init(|| {
        let mut database = Database::new();
        database.load_system_fonts();
        let mut faces: Vec<&FaceInfo> = database.faces().collect();
        let rank = |face: &FaceInfo| {
            let weight = face.weight.0.abs_diff(400);
            (face.style != Style::Normal, weight, face.monospaced, face.post_script_name.clone(), face.index)
        };
        faces.sort_by_cached_key(|face| rank(face));
        let order = faces.into_iter().map(|face| face.id).collect();
        (database, order)
    });
    let has = |data: &[u8], index| Face::from_slice(data, index).is_some_and(|face| face.glyph_index(letter).is_some());
    order.iter().find_map(|id| {
        let data = database.with_face_data(*id, |data, index| has(data, index).then(|| (data.to_vec(), index)))?;
        let (data, index) = data?;
        Typeface::new(Arc::new(data), index)
    })
}
