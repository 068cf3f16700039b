//! Reads weights files.

use super::array::Array;
use super::contents::{Origin, WeightsFile};
use super::error::WeightsError;
use super::header::{self, TRUNCATED};
use super::write::F32;

impl WeightsFile {
    /// Parses a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the bytes are not a valid file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let body = header::remove(bytes)?;
        let mut reader = WeightsReader { at: header::LENGTH, rest: body };
        let kind = reader.text()?;
        let origin = Origin { command: reader.text()?, data: reader.text()?, engine: reader.text()? };
        let count = reader.size()?;
        let mut arrays: Vec<Array> = Vec::new();
        for _ in 0..count {
            let array = reader.array()?;
            if arrays.iter().any(|other| other.name() == array.name()) {
                return Err(WeightsError::RepeatedArray(array.name().to_owned()));
            }
            arrays.push(array);
        }
        if reader.rest.is_empty() {
            Ok(Self { kind, origin, arrays })
        } else {
            Err(reader.error("bytes after the last array"))
        }
    }
}

/// Reads the fields of a weights file one after the other.
struct WeightsReader<'a> {
    /// Byte offset of the rest.
    at: usize,
    rest: &'a [u8],
}

impl<'a> WeightsReader<'a> {
    fn error(&self, problem: &'static str) -> WeightsError {
        WeightsError::Malformed { at: self.at, problem }
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], WeightsError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.error(TRUNCATED))?;
        self.rest = rest;
        self.at += count;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, WeightsError> {
        Ok(self.bytes(1)?[0])
    }

    fn size(&mut self) -> Result<usize, WeightsError> {
        let bytes = self.bytes(size_of::<u32>())?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn text(&mut self) -> Result<String, WeightsError> {
        let length = self.size()?;
        let at = self.at;
        let text = str::from_utf8(self.bytes(length)?);
        text.map(str::to_owned).map_err(|_| WeightsError::Malformed { at, problem: "a text is not UTF-8" })
    }

    fn array(&mut self) -> Result<Array, WeightsError> {
        let name = self.text()?;
        let (number_type, dimensions) = (self.byte()?, self.byte()?);
        if number_type != F32 {
            return Err(self.error("unknown number type"));
        }
        let shape = (0..dimensions).map(|_| self.size()).collect::<Result<Vec<_>, _>>()?;
        let length = shape.iter().try_fold(size_of::<f32>(), |product, &size| product.checked_mul(size));
        let bytes = self.bytes(length.ok_or_else(|| self.error(TRUNCATED))?)?;
        let numbers: Vec<f32> = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes).collect();
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(WeightsError::NotFinite(name));
        }
        Ok(Array::new(name, &shape, numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> WeightsFile {
        WeightsFile {
            kind: "test".to_owned(),
            origin: Origin { command: "make".to_owned(), data: "Daten, größere".to_owned(), engine: "0".to_owned() },
            arrays: vec![
                Array::new("matrix", &[2, 3], vec![0.1, -2.0, 3e-9, 0.0, -0.0, 1e30]),
                Array::new("empty", &[0, 7], vec![]),
                Array::new("scalar", &[], vec![5.0]),
            ],
        }
    }

    /// Returns the bytes of the file after the header.
    fn body() -> Vec<u8> {
        file().to_bytes().split_off(header::LENGTH)
    }

    #[test]
    fn written_file_is_read_back() {
        assert_eq!(WeightsFile::from_bytes(&file().to_bytes()), Ok(file()));
    }

    #[test]
    fn rejects_repeated_names_and_infinite_numbers() {
        let with = |array: Array| {
            let mut file = file();
            file.arrays.push(array);
            WeightsFile::from_bytes(&file.to_bytes())
        };
        let repeated = with(Array::new("scalar", &[1], vec![1.0]));
        assert_eq!(repeated, Err(WeightsError::RepeatedArray("scalar".to_owned())));
        for number in [f32::NAN, f32::INFINITY] {
            let with_number = with(Array::new("new", &[1], vec![number]));
            assert_eq!(with_number, Err(WeightsError::NotFinite("new".to_owned())));
        }
    }

    #[test]
    fn malformed_contents_are_reported_with_offset() {
        let error = |body: &[u8]| WeightsFile::from_bytes(&header::add(body)).unwrap_err();
        let offset = |text: &str| body().windows(text.len()).position(|part| part == text.as_bytes()).unwrap();
        let changed = |at: usize, byte: u8| {
            let mut body = body();
            body[at] = byte;
            body
        };
        // The length of a text precedes it, and the type of an array's numbers follows its name.
        let (kind, data, number_type) = (offset("test"), offset("Daten"), offset("matrix") + "matrix".len());
        for (body, at, problem) in [
            (body()[..2].to_vec(), 0, TRUNCATED),
            (changed(kind, 0xff), kind, "a text is not UTF-8"),
            (body()[..=data].to_vec(), data, TRUNCATED),
            (changed(number_type, 7), number_type + 2, "unknown number type"),
            (body()[..body().len() - 1].to_vec(), body().len() - 4, TRUNCATED),
            ([&body()[..], &[0]].concat(), body().len(), "bytes after the last array"),
        ] {
            assert_eq!(error(&body), WeightsError::Malformed { at: header::LENGTH + at, problem });
        }
    }
}
