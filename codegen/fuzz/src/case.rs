//! A broken document, made of a number.

use fastrand::Rng;
use openapi_document::node::Node;

use crate::mutation;
use crate::seeds::Seeds;

/// A document that was broken at random.
#[derive(Debug, Clone)]
pub struct Case {
    /// The document as a tree.
    pub tree: Node,
    /// Its text, in which bytes may be broken, too.
    pub text: String,
    /// Whether the text is that of the tree.
    pub is_whole: bool,
}

impl Case {
    /// The document of a number: the same each time for the same seeds.
    pub fn of(seeds: &Seeds, seed: u64, number: u64) -> Self {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let mut tree = seeds.any(&mut rng);
        for _ in 0..rng.usize(1..9) {
            mutation::mutate(&mut tree, seeds, &mut rng);
        }
        let mut case = Self::whole(tree);
        if rng.u8(..16) == 0 {
            case.text = mutation::mutate_text(&case.text, &mut rng);
            case.is_whole = false;
        }
        case
    }

    /// A document as it is.
    pub fn whole(tree: Node) -> Self {
        // The first line makes the reader take it for YAML, of which JSON is a part.
        let text = format!("# A broken document.\n{}\n", tree.to_json_pretty());
        Self {
            tree,
            text,
            is_whole: true,
        }
    }
}
