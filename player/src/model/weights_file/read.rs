//! From the bytes of a file of weights to its contents.

use super::array::Array;
use super::contents::{Origin, WeightsFile};
use super::error::{Defect, Section, WeightsError};
use super::header;
use super::write::F32;

impl WeightsFile {
    /// The file of these bytes.
    ///
    /// # Errors
    /// [`WeightsError`] if they are not exactly those of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let body = header::remove(bytes)?;
        let mut reader = Reader { at: header::LENGTH, rest: body, section: Section::Kind };
        let kind = reader.text()?;
        reader.section = Section::Origin;
        let origin = Origin { command: reader.text()?, data: reader.text()?, engine: reader.text()? };
        reader.section = Section::List;
        let count = reader.size()?;
        let mut arrays: Vec<Array> = Vec::new();
        for number in 1..=count {
            reader.section = Section::ArrayName(number);
            let array = reader.array()?;
            if arrays.iter().any(|other| other.name() == array.name()) {
                return Err(WeightsError::RepeatedArray(array.name().to_owned()));
            }
            arrays.push(array);
        }
        reader.section = Section::End;
        if reader.rest.is_empty() { Ok(Self { kind, origin, arrays }) } else { Err(reader.error(Defect::Surplus)) }
    }
}

/// What is left of a file.
struct Reader<'a> {
    /// Where in the file the rest begins.
    at: usize,
    rest: &'a [u8],
    /// The section that is being read.
    section: Section,
}

impl<'a> Reader<'a> {
    fn error(&self, defect: Defect) -> WeightsError {
        WeightsError::Malformed { section: self.section.clone(), defect, at: self.at }
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], WeightsError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.error(Defect::BreaksOff))?;
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
        text.map(str::to_owned).map_err(|_| WeightsError::Malformed {
            section: self.section.clone(),
            defect: Defect::NotUtf8,
            at,
        })
    }

    fn array(&mut self) -> Result<Array, WeightsError> {
        let name = self.text()?;
        self.section = Section::Array(name.clone());
        let (number_type, dimensions) = (self.byte()?, self.byte()?);
        if number_type != F32 {
            return Err(self.error(Defect::NumberType(number_type)));
        }
        let shape = (0..dimensions).map(|_| self.size()).collect::<Result<Vec<_>, _>>()?;
        let length = shape.iter().try_fold(size_of::<f32>(), |product, &size| product.checked_mul(size));
        let bytes = self.bytes(length.ok_or_else(|| self.error(Defect::BreaksOff))?)?;
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
    use proptest::prelude::*;

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

    /// The bytes of the file after the header.
    fn body() -> Vec<u8> {
        file().to_bytes().split_off(header::LENGTH)
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(WeightsFile::from_bytes(&file().to_bytes()), Ok(file()));
    }

    #[test]
    fn arrays_have_one_name_and_finite_numbers() {
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
    fn a_malformed_section_is_named_with_its_place() {
        let error = |body: &[u8]| WeightsFile::from_bytes(&header::add(body)).unwrap_err().to_string();
        let place_of = |text: &str| body().windows(text.len()).position(|part| part == text.as_bytes()).unwrap();
        let changed = |at: usize, byte: u8| {
            let mut body = body();
            body[at] = byte;
            body
        };
        // The length of a text stands in the four bytes before it; the type of an array's numbers follows its name.
        let (kind, data, name) = (place_of("test"), place_of("Daten"), place_of("matrix"));
        let number_type = name + "matrix".len();
        let in_file = |at: usize| header::LENGTH + at;
        for (body, expected) in [
            (body()[..2].to_vec(), format!("the kind breaks off at byte {}", in_file(0))),
            (changed(kind, 0xff), format!("the kind is not UTF-8 at byte {}", in_file(kind))),
            (body()[..=data].to_vec(), format!("the origin breaks off at byte {}", in_file(data))),
            (body()[..name - 5].to_vec(), format!("the list of arrays breaks off at byte {}", in_file(name - 8))),
            (body()[..name].to_vec(), format!("the name of array 1 breaks off at byte {}", in_file(name))),
            (
                changed(number_type, 7),
                format!("the array `matrix` has numbers of the unknown type 7 at byte {}", in_file(number_type + 2)),
            ),
            (
                body()[..body().len() - 1].to_vec(),
                format!("the array `scalar` breaks off at byte {}", in_file(body().len() - 4)),
            ),
            ([&body()[..], &[0]].concat(), format!("the end is not reached at byte {}", in_file(body().len()))),
        ] {
            assert_eq!(error(&body), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// A right checksum says nothing of what was summed up.
        #[test]
        fn no_body_does_harm(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            cut: prop::sample::Index,
        ) {
            let mut body = body();
            let length = body.len();
            changes.iter().for_each(|(at, byte)| body[at.index(length)] = *byte);
            body.truncate(cut.index(body.len()) + 1);
            let bytes = header::add(&body);
            if let Ok(read) = WeightsFile::from_bytes(&bytes) {
                prop_assert_eq!(read.to_bytes(), bytes);
            }
        }
    }
}
