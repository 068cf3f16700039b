//! Runs the stored inputs of the fuzzers without a fuzzer.

use std::fs;
use std::path::Path;

use tests::targets;

#[test]
fn stored_inputs_pass() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/fuzz/corpus");
    for (name, target) in targets::ALL {
        let files = fs::read_dir(corpus.join(name)).expect("every target has a corpus");
        let paths: Vec<_> = files.map(|file| file.expect("the folder can be read").path()).collect();
        assert!(!paths.is_empty(), "{name}");
        for path in paths {
            // A failing test shows the last name that was written.
            eprintln!("{}", path.display());
            target(&fs::read(path).expect("the file can be read"));
        }
    }
}
