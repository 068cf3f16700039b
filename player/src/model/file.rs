//! Files of weights: named arrays of numbers, with a header that says what they are and what made them.
//!
//! All numbers are little-endian. A *text* is its length in bytes as `u32`, then UTF-8.
//!
//! | what | as |
//! |---|---|
//! | the signature `BLOKUS\r\n` | 8 bytes |
//! | version of the format, 1 | `u32` |
//! | length of all that follows the checksum, in bytes | `u32` |
//! | CRC-32 of all that follows (that of zlib and PNG) | `u32` |
//! | kind: which part of the model this is | text |
//! | origin: command, data, engine | three texts |
//! | how many arrays there are | `u32` |
//! | each array: its name | text |
//! | … type of its numbers: 0 for `f32`, 1 for `i16`, 2 for `i8` | `u8` |
//! | … how many dimensions it has, and its size in each | `u8`, `u32` each |
//! | … its numbers, those of the last dimension side by side | |
//!
//! Programs that convert line ends change the signature, so that the file is refused.

use thiserror::Error;

/// The first bytes of every file.
const SIGNATURE: [u8; 8] = *b"BLOKUS\r\n";

/// The version of the format that is read and written.
const VERSION: u32 = 1;

/// Signature, version, length and checksum.
const HEADER: usize = SIGNATURE.len() + 3 * size_of::<u32>();

/// What made some weights, so that they can be made again.
///
/// ```
/// use player::model::{Origin, Model};
///
/// let origin = Origin { command: "trainer learn".to_owned(), ..Origin::default() };
/// let file = Model::built_in().prior.to_file(origin.clone());
/// assert_eq!(file.origin, origin);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The command line that made them.
    pub command: String,
    /// What they were learnt from: which games, how many positions.
    pub data: String,
    /// The fingerprint of the engine that played the games, see [`bench`](crate::bench).
    pub engine: String,
}

/// A file of weights in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightsFile {
    /// Which part of the model it holds.
    pub kind: String,
    /// What made it.
    pub origin: Origin,
    /// The weights.
    pub arrays: Vec<Array>,
}

/// An array with a name.
///
/// ```
/// use player::model::Array;
///
/// let array = Array::new("biases", &[2], &[0.5f32, 0.25]);
/// assert_eq!((array.name(), array.to_string()), ("biases", "f32[2]".to_owned()));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    name: String,
    shape: Vec<usize>,
    /// The place of their type in [`TYPES`].
    number_type: u8,
    /// The numbers as they stand in a file.
    bytes: Vec<u8>,
}

/// Why bytes are not the weights that are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// Something else.
    #[error("it is no file of weights")]
    Foreign,
    /// A file of another version of this program.
    #[error("its format has version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// Only a part of the file, or more than that.
    #[error("it has {found} bytes instead of {expected}")]
    Length {
        /// As there are.
        found: usize,
        /// As the header says.
        expected: usize,
    },
    /// Some bytes are wrong.
    #[error("it is damaged: its checksum is {found:08x}, not {expected:08x}")]
    Checksum {
        /// Of what is there.
        found: u32,
        /// As the header says.
        expected: u32,
    },
    /// The checksum is right, but not what it is the checksum of.
    #[error("it does not keep to the format, {0} bytes after the header")]
    Malformed(usize),
    /// Weights of something that is no part of the model.
    #[error("it holds `{found}`, expected {expected}")]
    Kind {
        /// What it holds.
        found: String,
        /// What it could hold.
        expected: String,
    },
    /// An array is missing.
    #[error("it lacks `{0}`")]
    Missing(String),
    /// An array is there twice.
    #[error("it holds `{0}` twice")]
    Twice(String),
    /// There is an array too many.
    #[error("it holds `{0}`, which is unknown")]
    Unknown(String),
    /// An array has other dimensions or numbers than are wanted.
    #[error("its `{name}` is {found}, expected {expected}")]
    Shape {
        /// The name of the array.
        name: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A number is infinite or none.
    #[error("its `{0}` has a number that is not finite")]
    NotFinite(String),
}

/// A type that the numbers of an array can have. Integers are for networks that calculate with them.
pub trait Number: Copy {
    /// What stands for the type in files.
    const TYPE: u8;

    /// The number of some bytes, as many as the type has.
    fn read(bytes: &[u8]) -> Self;

    /// Adds the bytes of the number.
    fn write(self, bytes: &mut Vec<u8>);
}

/// The names of the types and their sizes in bytes.
const TYPES: [(&str, usize); 3] = [("f32", 4), ("i16", 2), ("i8", 1)];

macro_rules! numbers {
    ($($Type:ident = $number:literal;)*) => {$(
        impl Number for $Type {
            const TYPE: u8 = $number;

            fn read(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or($Type::default(), |&bytes| Self::from_le_bytes(bytes))
            }

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }

        const _: () = assert!(TYPES[$number].1 == size_of::<$Type>());
    )*};
}

numbers! {
    f32 = 0;
    i16 = 1;
    i8 = 2;
}

impl Array {
    /// An array.
    ///
    /// # Panics
    /// If there are not as many numbers as the shape says.
    #[track_caller]
    pub fn new<T: Number>(name: impl Into<String>, shape: &[usize], numbers: &[T]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "{shape:?}");
        let mut bytes = Vec::with_capacity(size_of_val(numbers));
        numbers.iter().for_each(|number| number.write(&mut bytes));
        Self { name: name.into(), shape: shape.to_vec(), number_type: T::TYPE, bytes }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its numbers, if they are of this type.
    fn numbers<T: Number>(&self) -> Option<Vec<T>> {
        (self.number_type == T::TYPE).then(|| self.bytes.chunks_exact(size_of::<T>()).map(T::read).collect())
    }
}

/// The type and shape of an array, for example `f32[5, 22]`.
fn description(number_type: u8, shape: &[usize]) -> String {
    format!("{}{shape:?}", TYPES[usize::from(number_type)].0)
}

impl std::fmt::Display for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", description(self.number_type, &self.shape))
    }
}

impl WeightsFile {
    /// The file of these bytes.
    ///
    /// # Errors
    /// [`WeightsError`] if they are not exactly those of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
            let is_cut = !bytes.is_empty() && bytes.iter().zip(SIGNATURE).all(|(&byte, expected)| byte == expected);
            let cut = WeightsError::Length { found: bytes.len(), expected: HEADER };
            return Err(if is_cut { cut } else { WeightsError::Foreign });
        };
        let Some(numbers) = header.strip_prefix(&SIGNATURE) else { return Err(WeightsError::Foreign) };
        let number = |n: usize| numbers.as_chunks().0.get(n).map_or(0, |&bytes| u32::from_le_bytes(bytes));
        let (version, length, expected) = (number(0), number(1) as usize, number(2));
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        if body.len() != length {
            return Err(WeightsError::Length { found: bytes.len(), expected: HEADER + length });
        }
        let found = crc32fast::hash(body);
        if found != expected {
            return Err(WeightsError::Checksum { found, expected });
        }
        let mut reader = Reader { all: body, rest: body };
        let kind = reader.text()?;
        let origin = Origin { command: reader.text()?, data: reader.text()?, engine: reader.text()? };
        let mut arrays: Vec<Array> = Vec::new();
        for _ in 0..reader.count()? {
            let array = reader.array()?;
            if arrays.iter().any(|other| other.name == array.name) {
                return Err(WeightsError::Twice(array.name));
            }
            arrays.push(array);
        }
        if reader.rest.is_empty() { Ok(Self { kind, origin, arrays }) } else { Err(reader.malformed()) }
    }

    /// The bytes of the file.
    ///
    /// # Panics
    /// If a size does not fit into 32 bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = |size: usize| u32::try_from(size).expect("less than 4 GiB").to_le_bytes();
        let mut body = Vec::new();
        let add_text = |body: &mut Vec<u8>, text: &str| {
            body.extend(size(text.len()));
            body.extend(text.as_bytes());
        };
        let Origin { command, data, engine } = &self.origin;
        [&self.kind, command, data, engine].into_iter().for_each(|text| add_text(&mut body, text));
        body.extend(size(self.arrays.len()));
        for Array { name, shape, number_type, bytes } in &self.arrays {
            add_text(&mut body, name);
            body.push(*number_type);
            body.push(u8::try_from(shape.len()).expect("few dimensions"));
            shape.iter().for_each(|&length| body.extend(size(length)));
            body.extend(bytes);
        }
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(size(body.len()));
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.append(&mut body);
        bytes
    }

    /// Takes the array of this name out, which must have this shape and this type of numbers.
    ///
    /// # Errors
    /// [`WeightsError`] if there is no such array.
    pub fn take<T: Number>(&mut self, name: &str, shape: &[usize]) -> Result<Vec<T>, WeightsError> {
        let at = self.arrays.iter().position(|array| array.name == name);
        let array = self.arrays.swap_remove(at.ok_or_else(|| WeightsError::Missing(name.to_owned()))?);
        match array.numbers() {
            Some(numbers) if array.shape == shape => Ok(numbers),
            _ => Err(WeightsError::Shape {
                name: name.to_owned(),
                found: array.to_string(),
                expected: description(T::TYPE, shape),
            }),
        }
    }

    /// Makes sure that no array is left.
    ///
    /// # Errors
    /// [`WeightsError::Unknown`] if one is.
    pub fn end(self) -> Result<(), WeightsError> {
        self.arrays.into_iter().next().map_or(Ok(()), |array| Err(WeightsError::Unknown(array.name)))
    }
}

/// What is left of a body.
struct Reader<'a> {
    all: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn malformed(&self) -> WeightsError {
        WeightsError::Malformed(self.all.len() - self.rest.len())
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], WeightsError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(self.malformed())?;
        self.rest = rest;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, WeightsError> {
        Ok(self.bytes(1)?[0])
    }

    fn count(&mut self) -> Result<usize, WeightsError> {
        let bytes = self.bytes(size_of::<u32>())?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn text(&mut self) -> Result<String, WeightsError> {
        let length = self.count()?;
        let malformed = self.malformed();
        str::from_utf8(self.bytes(length)?).map(str::to_owned).map_err(|_| malformed)
    }

    fn array(&mut self) -> Result<Array, WeightsError> {
        let name = self.text()?;
        let (number_type, dimensions) = (self.byte()?, self.byte()?);
        let &(_, size) = TYPES.get(usize::from(number_type)).ok_or(self.malformed())?;
        let shape = (0..dimensions).map(|_| self.count()).collect::<Result<Vec<_>, _>>()?;
        let length = shape.iter().try_fold(size, |product: usize, &length| product.checked_mul(length));
        let bytes = self.bytes(length.ok_or(self.malformed())?)?.to_vec();
        let array = Array { name, shape, number_type, bytes };
        match array.numbers::<f32>() {
            Some(numbers) if !numbers.iter().all(|number| number.is_finite()) => {
                Err(WeightsError::NotFinite(array.name))
            }
            _ => Ok(array),
        }
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
                Array::new("matrix", &[2, 3], &[0.1f32, -2.0, 3e-9, 0.0, -0.0, 1e30]),
                Array::new("short", &[2], &[i16::MIN, 300]),
                Array::new("bytes", &[3, 1, 1], &[-128i8, 0, 127]),
                Array::new("empty", &[0, 7], &[0f32; 0]),
                Array::new("scalar", &[], &[5i8]),
            ],
        }
    }

    /// A file with this body and a header that fits to it.
    fn with_body(body: &[u8]) -> Vec<u8> {
        let sizes = [VERSION, body.len() as u32, crc32fast::hash(body)];
        [&SIGNATURE[..], sizes.map(u32::to_le_bytes).as_flattened(), body].concat()
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = file().to_bytes();
        assert_eq!(with_body(&bytes[HEADER..]), bytes);
        let mut read = WeightsFile::from_bytes(&bytes).unwrap();
        assert_eq!(read, file());
        assert_eq!(read.take("matrix", &[2, 3]), Ok(vec![0.1f32, -2.0, 3e-9, 0.0, -0.0, 1e30]));
        assert_eq!(read.take("short", &[2]), Ok(vec![i16::MIN, 300]));
        assert_eq!(read.take::<i8>("bytes", &[3, 1, 1]), Ok(vec![-128, 0, 127]));
        assert_eq!((read.take::<f32>("empty", &[0, 7]), read.take::<i8>("scalar", &[])), (Ok(vec![]), Ok(vec![5])));
        assert_eq!(read.end(), Ok(()));
    }

    #[test]
    fn arrays_are_what_is_wanted_or_named() {
        let wrong = |name: &str, found: &str, expected: &str| WeightsError::Shape {
            name: name.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
        };
        assert_eq!(file().take::<f32>("matrix", &[3, 2]), Err(wrong("matrix", "f32[2, 3]", "f32[3, 2]")));
        assert_eq!(file().take::<f32>("short", &[2]), Err(wrong("short", "i16[2]", "f32[2]")));
        assert_eq!(file().take::<f32>("vector", &[2]), Err(WeightsError::Missing("vector".to_owned())));
        assert_eq!(file().end(), Err(WeightsError::Unknown("matrix".to_owned())));
    }

    #[test]
    fn foreign_and_incomplete_files_are_refused() {
        let bytes = file().to_bytes();
        for end in 0..bytes.len() {
            let error = WeightsFile::from_bytes(&bytes[..end]).unwrap_err();
            assert!(if end == 0 {
                error == WeightsError::Foreign
            } else {
                matches!(error, WeightsError::Length { .. })
            });
        }
        for n in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[n] ^= 0x20;
            assert!(WeightsFile::from_bytes(&bytes).is_err(), "byte {n}");
        }
        let longer = [&bytes[..], &[0]].concat();
        let length = WeightsError::Length { found: longer.len(), expected: bytes.len() };
        assert_eq!(WeightsFile::from_bytes(&longer), Err(length));
        assert_eq!(WeightsFile::from_bytes(b"PK\x03\x04, or any other beginning"), Err(WeightsError::Foreign));
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(WeightsFile::from_bytes(&other), Err(WeightsError::Version(9)));
        let unix = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").into_bytes();
        assert_eq!(WeightsFile::from_bytes(&unix), Err(WeightsError::Foreign));
    }

    #[test]
    fn arrays_have_one_name_and_finite_numbers() {
        let with = |array: Array| {
            let mut file = file();
            file.arrays.push(array);
            WeightsFile::from_bytes(&file.to_bytes())
        };
        assert_eq!(with(Array::new("short", &[1], &[1i8])), Err(WeightsError::Twice("short".to_owned())));
        for number in [f32::NAN, f32::INFINITY] {
            assert_eq!(with(Array::new("new", &[1], &[number])), Err(WeightsError::NotFinite("new".to_owned())));
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
            let mut body = file().to_bytes().split_off(HEADER);
            let length = body.len();
            changes.iter().for_each(|(at, byte)| body[at.index(length)] = *byte);
            body.truncate(cut.index(body.len()) + 1);
            if let Ok(read) = WeightsFile::from_bytes(&with_body(&body)) {
                prop_assert_eq!(read.to_bytes(), with_body(&body));
            }
        }
    }
}
