/// Headers of the answer `Numbers`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumbersHeaders {
    /// `link`
    pub link: Option<String>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::headers! {
    NumbersHeaders: Ignored {
        0 "link" => link optional,
    }
}
