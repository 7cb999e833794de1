use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::json::Unreadable;
use crate::runtime::multipart::{File, Part, Parts};

/// The value at `upload.Parts`.
#[derive(Clone, Debug, PartialEq)]
pub struct UploadParts {
    /// `file`
    pub file: File,
    /// `note`
    pub note: Option<String>,
    /// `pages`
    pub pages: Option<Vec<BTreeMap<String, i64>>>,
    /// `scans`
    pub scans: Option<Vec<File>>,
    /// `sheet`
    pub sheet: Option<String>,
}
