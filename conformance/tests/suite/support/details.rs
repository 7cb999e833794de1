//! Reads the details of cases in `report.html`, which are compressed.

use std::io::Read as _;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;

/// The text of a report file, with the unpacked details of a page.
pub(crate) fn readable(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    for pack in packs(&text) {
        text.push_str(&pack);
    }
    text
}

fn packs(page: &str) -> Vec<String> {
    let begin = r#"<script type="text/plain" class="pack">"#;
    let packs = page.split(begin).skip(1);
    packs
        .map(|rest| {
            let pack = rest.split("</script>").next().unwrap();
            let bytes = STANDARD.decode(pack).unwrap();
            let mut text = String::new();
            let mut decoder = DeflateDecoder::new(bytes.as_slice());
            decoder.read_to_string(&mut text).unwrap();
            text
        })
        .collect()
}
