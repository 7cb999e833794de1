use crate::runtime::object;

/// The schema `DropletLinks`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DropletLinks {
    /// `pages`
    pub pages: Option<DropletPages>,
}

crate::object! {
    DropletLinks: Ignored {
        0 "pages" => pages optional,
    }
}

/// The schema `DropletPage`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DropletPage {
    /// `droplets`
    pub droplets: Option<Vec<String>>,
    /// `links`
    pub links: Option<DropletLinks>,
}

crate::object! {
    DropletPage: Ignored {
        0 "droplets" => droplets optional,
        1 "links" => links optional,
    }
}

/// The schema `DropletPages`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DropletPages {
    /// `next`
    pub next: Option<String>,
}
