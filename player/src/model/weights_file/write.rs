//! Writes weights files.

use super::array::Array;
use super::contents::{Origin, WeightsFile};
use super::header;

/// Code of the number type `f32`.
pub(super) const F32: u8 = 0;

impl WeightsFile {
    /// Serialises the file.
    ///
    /// # Panics
    /// If a size does not fit into 32 bits, or an array has more than 255 dimensions.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let Origin { command, data, engine } = &self.origin;
        [&self.kind, command, data, engine].into_iter().for_each(|text| add_text(&mut body, text));
        add_size(&mut body, self.arrays.len());
        self.arrays.iter().for_each(|array| add_array(&mut body, array));
        header::add(&body)
    }
}

fn add_array(body: &mut Vec<u8>, array: &Array) {
    add_text(body, array.name());
    body.push(F32);
    body.push(array.shape().len().try_into().expect("few dimensions"));
    array.shape().iter().for_each(|&size| add_size(body, size));
    body.extend(array.numbers().iter().copied().flat_map(f32::to_le_bytes));
}

fn add_text(body: &mut Vec<u8>, text: &str) {
    add_size(body, text.len());
    body.extend(text.as_bytes());
}

fn add_size(body: &mut Vec<u8>, size: usize) {
    body.extend(u32::try_from(size).expect("less than 4 GiB").to_le_bytes());
}
