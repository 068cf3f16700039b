//! Runs the stored inputs of the fuzzers without a fuzzer, whole and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use tests::targets::{self, Target};

/// A target with its stored inputs.
type Inputs = (Target, Vec<(PathBuf, Vec<u8>)>);

static INPUTS: LazyLock<Vec<Inputs>> = LazyLock::new(|| {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/fuzz/corpus");
    let read = |file: fs::DirEntry| (file.path(), fs::read(file.path()).expect("the file can be read"));
    let inputs = targets::ALL.map(|(name, target)| {
        let files = fs::read_dir(corpus.join(name)).expect("every target has a corpus");
        (target, files.map(|file| read(file.expect("the folder can be read"))).collect())
    });
    inputs.into()
});

#[test]
fn stored_inputs_pass() {
    for (target, inputs) in INPUTS.iter() {
        assert!(!inputs.is_empty());
        for (path, bytes) in inputs {
            // A failing test shows the last name that was written.
            eprintln!("{}", path.display());
            target(bytes);
        }
    }
}

/// Bytes that replace others: a part of an input, markup, or anything.
#[derive(Clone, Debug)]
enum Patch {
    Part(Index, Index, usize),
    Bytes(Vec<u8>),
}

fn patch() -> impl Strategy<Value = Patch> {
    let markup: Vec<&[u8]> = vec![
        b"",
        b"<",
        b">",
        b"/>",
        b"\"",
        b"</room>",
        b"<!--",
        b"<![CDATA[",
        b"&#0;",
        b"-1",
        b"\0",
        b"\xff",
        b"\n",
        b"[",
        b"(",
        b"{",
        b" NaN ",
        b"99999999999999999999",
        "\u{1b}".as_bytes(),
        "\u{e9}".as_bytes(),
    ];
    prop_oneof![
        (any::<Index>(), any::<Index>(), 1usize..200).prop_map(|(input, at, length)| Patch::Part(input, at, length)),
        select(markup).prop_map(|markup| Patch::Bytes(markup.to_vec())),
        prop::collection::vec(any::<u8>(), 1..4).prop_map(Patch::Bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn damaged_inputs_pass(
        target in any::<Index>(),
        input in any::<Index>(),
        patches in prop::collection::vec(
            (patch(), any::<Index>(), prop_oneof![0usize..4, 0usize..200, Just(usize::MAX)]),
            1..5,
        ),
    ) {
        let (target, inputs) = target.get(&INPUTS);
        let mut bytes = input.get(inputs).1.clone();
        for (patch, at, length) in patches {
            let new = match &patch {
                Patch::Part(input, at, length) => {
                    let other = &input.get(inputs).1;
                    let at = at.index(other.len() + 1);
                    &other[at..other.len().min(at + length)]
                }
                Patch::Bytes(bytes) => bytes,
            };
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at.saturating_add(length).min(bytes.len()), new.iter().copied());
        }
        target(&bytes);
    }
}
