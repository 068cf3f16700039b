//! The header of a weights file.

use super::error::WeightsError;

/// The problem of a truncated file.
pub(super) const TRUNCATED: &str = "the file ends too early";

/// The first bytes of every file.
const SIGNATURE: [u8; 8] = *b"BLOKUS\r\n";

/// Version of the format.
const VERSION: u32 = 1;

/// Length of the header: signature, version, length and checksum.
pub(super) const LENGTH: usize = SIGNATURE.len() + 3 * size_of::<u32>();

/// Prepends the header to a body.
pub(super) fn add(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("less than 4 GiB");
    let numbers = [VERSION, length, crc32fast::hash(body)].map(u32::to_le_bytes);
    [&SIGNATURE, numbers.as_flattened(), body].concat()
}

/// Checks the header and returns the body.
pub(super) fn remove(file: &[u8]) -> Result<&[u8], WeightsError> {
    let compared = file.len().min(SIGNATURE.len());
    if file.is_empty() || file[..compared] != SIGNATURE[..compared] {
        return Err(WeightsError::Signature);
    }
    let Some((header, body)) = file.split_first_chunk::<LENGTH>() else {
        return Err(WeightsError::Malformed { at: file.len(), problem: TRUNCATED });
    };
    let number = |n: usize| {
        let bytes = &header[SIGNATURE.len()..].as_chunks().0[n];
        u32::from_le_bytes(*bytes)
    };
    let [version, length, announced] = [number(0), number(1), number(2)];
    if version != VERSION {
        return Err(WeightsError::Version { announced: version, known: VERSION });
    }
    if body.len() != length as usize {
        return Err(WeightsError::Length { announced: LENGTH + length as usize, found: file.len() });
    }
    let found = crc32fast::hash(body);
    if found != announced {
        return Err(WeightsError::Checksum { announced, found });
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_foreign_and_incomplete_files() {
        let file = add(b"What\r\nfollows.");
        assert_eq!(remove(&file), Ok(&b"What\r\nfollows."[..]));
        assert_eq!(remove(b""), Err(WeightsError::Signature));
        for end in 1..file.len() {
            let error = remove(&file[..end]).unwrap_err();
            let expected = if end < LENGTH {
                WeightsError::Malformed { at: end, problem: TRUNCATED }
            } else {
                WeightsError::Length { announced: file.len(), found: end }
            };
            assert_eq!(error, expected);
        }
        for n in 0..file.len() {
            let mut damaged = file.clone();
            damaged[n] ^= 0x20;
            assert!(remove(&damaged).is_err(), "byte {n}");
        }
        let longer = [&file[..], &[0]].concat();
        assert_eq!(remove(&longer), Err(WeightsError::Length { announced: file.len(), found: longer.len() }));
        assert_eq!(remove(b"PK\x03\x04, or any other beginning"), Err(WeightsError::Signature));
        let mut other = file.clone();
        other[SIGNATURE.len()] = 9;
        assert_eq!(remove(&other), Err(WeightsError::Version { announced: 9, known: VERSION }));
        let unix = String::from_utf8_lossy(&file).replace("\r\n", "\n").into_bytes();
        assert_eq!(remove(&unix), Err(WeightsError::Signature));
    }
}
