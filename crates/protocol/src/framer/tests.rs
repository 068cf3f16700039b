use super::*;

fn frames(chunks: &[&[u8]], limit: usize) -> Result<Vec<Frame>, FrameError> {
    let mut framer = Framer::new(limit);
    let mut frames = Vec::new();
    for chunk in chunks {
        framer.push(chunk);
        while let Some(frame) = framer.next_frame()? {
            frames.push(frame);
        }
    }
    Ok(frames)
}

const STREAM: &str = "\u{feff}<?xml version='1.0'?><!-- <x> --><protocol a='>'>\n  text <a b=\"</a>\"/><!--<b>-->\
    <room><![CDATA[</room>]]><data>ü</data\n></room><?pi <c>?></protocol> <d/>";

#[test]
fn accepts_chunks_of_any_size() {
    let whole = frames(&[STREAM.as_bytes()], 100).unwrap();
    let [Frame::Element(a), Frame::Element(room), Frame::End] = whole.as_slice() else { panic!("{whole:?}") };
    assert_eq!((a.attribute("b"), room.field("data"), room.text()), (Some("</a>"), Some("ü"), "</room>"));
    for size in 1..STREAM.len() {
        let chunks: Vec<&[u8]> = STREAM.as_bytes().chunks(size).collect();
        assert_eq!(frames(&chunks, 100).unwrap(), whole, "chunks of {size}");
    }
}

#[test]
fn last_byte_completes_element() {
    assert_eq!(frames(&[b"<protocol>\n  <joined roomId='1'/>"], 100).unwrap().len(), 1);
    assert_eq!(frames(&[b"<protocol><a><b/></a><c>"], 100).unwrap().len(), 1);
    assert_eq!(frames(&[b"<protocol/><a/>"], 100).unwrap(), [Frame::End]);
}

#[test]
fn rejects_long_messages_but_not_whitespace() {
    let long = "x".repeat(200);
    for text in [format!("<p><a>{long}</a>"), format!("<p><a b='{long}"), format!("<p><a>{long}"), format!("<{long}")] {
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(7).collect();
        assert!(matches!(frames(&[text.as_bytes()], 100), Err(FrameError::TooLong { limit: 100, .. })), "{text}");
        assert!(matches!(frames(&chunks, 100), Err(FrameError::TooLong { limit: 100, .. })), "{text}");
    }
    assert_eq!(frames(&[format!("<p>{long}<!--{long}--><a/>").as_bytes()], 100).unwrap().len(), 1);
    assert_eq!(frames(&["<p>".as_bytes(), "<a/>".repeat(100).as_bytes()], 100).unwrap().len(), 100);
}

#[test]
fn skips_text_before_root_for_server() {
    let mut framer = Framer::new(30).with_official_strictness();
    for chunk in ["hello", " world, hello world, hello world\n", "<protocol><jo", "in/>"] {
        framer.push(chunk.as_bytes());
    }
    assert_eq!(framer.next_frame(), Ok(Some(Frame::Element(Element::new("join")))));
}

#[test]
fn rejects_broken_streams() {
    let error = |text: &str| frames(&[text.as_bytes()], 1000).unwrap_err();
    assert_eq!(error("<protocol>this is not xml <<<"), FrameError::NoMarkup("<<<".to_owned()));
    assert_eq!(
        error("<!DOCTYPE a [<!ENTITY b 'c'>]><p>"),
        FrameError::NoMarkup("<!DOCTYPE a [<!ENTITY b 'c'>]><p>".to_owned())
    );
    assert_eq!(error("\r\nSSH-2.0"), FrameError::NoMarkup("\\r\\nSSH-2.0".to_owned()));
    assert_eq!(error("<p><broken & <<<"), FrameError::NoMarkup("<broken & <".to_owned()));
    assert_eq!(error("<p>this & that"), FrameError::NoMarkup("this & that".to_owned()));
    assert_eq!(error("<p><a><b></p>"), FrameError::UnexpectedEnd("</p>".to_owned()));
    assert_eq!(error("</p>"), FrameError::UnexpectedEnd("</p>".to_owned()));
    assert!(matches!(error("<p><a b/>"), FrameError::Xml(_)));
    assert_eq!(error(&"<a>".repeat(MAX_DEPTH + 1)), FrameError::TooDeep("<a>".to_owned()));
}

/// Elements that are read from clients, or the reason why not.
fn of_client(text: &str, size: usize) -> Result<usize, &'static str> {
    let mut framer = Framer::new(1000).with_official_strictness();
    let mut count = 0;
    for chunk in text.as_bytes().chunks(size) {
        framer.push(chunk);
        loop {
            match framer.next_frame() {
                Ok(None) => break,
                Ok(Some(_)) => count += 1,
                Err(FrameError::Rejected { reason, .. }) => return Err(reason),
                Err(_) => return Err(""),
            }
        }
    }
    Ok(count)
}

/// The answers were taken from the XML library of the official server.
#[test]
fn reads_clients_like_official_server() {
    let accepted = [
        "<?xml version=\"1.0\"?><p><a/>",
        "<?XML version='2.0' encoding='UTF-8' standalone='yes' ?><p><a/>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><p><a/>",
        "\u{feff}<?xml version='1.0'?><p><a/>",
        "<?xml-stylesheet href='a'?><p><?xmlx?><a/>",
        "<!DOCTYPE p [<!ENTITY b '>'>]><p><!DOCTYPE p><a/>",
        "hello &amp; <p>&lt;&#65;&#x42;&gt; ]] > <a/>",
        "<![CDATA[&nbsp;]]><p><![CDATA[<b/>&nbsp;]]><a/>",
        "<p><!-- &nbsp; -- ]]> --><!----><a/>",
        "<p a=\"1\"b = '<>&amp;'><a c='1' c='2'/>",
        "<x:p><a x:b=''>text</a >",
    ];
    let declaration = "an XML declaration is not the beginning of the document";
    let undefined = "an entity is undefined";
    let unfinished = "a reference does not end";
    let rejected = [
        (" <?xml version='1.0'?><p><a/>", declaration),
        ("<p><?xml version='1.0'?><a/>", declaration),
        ("<p><a><?xml version='1.0'?></a>", declaration),
        ("<!-- --><?XML version='1.0'?><p><a/>", declaration),
        (
            "<?xml encoding='UTF-8'?><p><a/>",
            "an XML declaration has other attributes than version, encoding, standalone in this order",
        ),
        (
            "<?xml version='1.0' encoding='UTF-16'?><p><a/>",
            "an XML declaration has an unknown encoding or standalone value",
        ),
        ("<?xml ?><p><a/>", "an XML declaration has no version"),
        ("&nbsp;<p><a/>", undefined),
        ("<p>&nbsp;<a/>", undefined),
        ("<p><a>&#xFFFFFFFF;</a>", undefined),
        ("<p b='&nbsp;'><a/>", undefined),
        ("<p><a b='&nbsp;'/>", undefined),
        ("<p> & <a/>", unfinished),
        ("<p>&amp<a/>", unfinished),
        ("<p><a b='a & b'/>", unfinished),
        ("<p>]]><a/>", "text contains ]]>"),
        ("<p><a b=']]>'/>", "text contains ]]>"),
        ("<p><!-- ---><a/>", "a comment ends with --->"),
        ("<p a><a/>", "an attribute has no value"),
        ("<p a=1><a/>", "the value of an attribute is not quoted"),
        ("<p><a b=it's><a/>", "the value of an attribute is not quoted"),
        ("<p 1a='1'><a/>", "an attribute has no name"),
        ("<p><a></a b='1'>", "an end tag has attributes"),
        ("<p><!ELEMENT a><a/>", ""),
        ("<p></q>", ""),
    ];
    for size in [1, 2, 3, 1000] {
        for text in accepted {
            assert_eq!(of_client(text, size), Ok(1), "{text} in pieces of {size}");
        }
        for (text, reason) in rejected {
            assert_eq!(of_client(text, size), Err(reason), "{text} in pieces of {size}");
        }
    }
}

#[test]
fn names_open_message() {
    let mut framer = Framer::new(100);
    assert_eq!(framer.open_message(), None);
    framer.push(b"<p><a/><p><a>");
    while framer.next_frame().unwrap().is_some() {}
    assert_eq!(framer.open_message(), Some("p"));
}

#[test]
fn replaces_invalid_utf8() {
    let read = frames(&[b"<protocol><errorpacket message=\"\xfcber\"/>"], 100).unwrap();
    assert_eq!(read, [Frame::Element(Element::new("errorpacket").with("message", "\u{fffd}ber"))]);
}
