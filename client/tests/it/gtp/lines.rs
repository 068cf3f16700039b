//! Input of all kinds.

use super::*;

#[test]
fn quit_or_end_of_input_ends_engine() {
    for (input, output) in [
        (&b"1 protocol_version\nquit\nname\n"[..], "=1 2\n\n= \n\n"),
        (b"protocol_version", "= 2\n\n"),
        ("\u{feff}x\n".as_bytes(), "? unknown command `\u{feff}x`; `help` lists all\n\n"),
        (b"\xff\n", "? unknown command `\u{fffd}`; `help` lists all\n\n"),
    ] {
        let mut written = Vec::new();
        serve(&mut engine("random", Rules::Classic, Budget::UNLIMITED), input, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), output);
    }
}

#[test]
fn rejects_endless_lines() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    let long = format!("7 play 1 {}", "a1,".repeat(1 << 20));
    let input = format!("{long}\nname\n9{long}");
    let mut output = Vec::new();
    serve(&mut engine, input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output, "?7 the line is too long\n\n= client random\n\n?97 the line is too long\n\n");
}
