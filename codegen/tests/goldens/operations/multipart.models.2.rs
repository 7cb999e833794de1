impl UploadParts {
    /// The parts of a `multipart/form-data` body.
    pub fn to_parts(&self) -> Result<Vec<Part>, serde_json::Error> {
        let mut parts = Vec::new();
        parts.push(Part::file("file", &self.file));
        parts.extend(Part::value("note", &self.note)?);
        parts.extend(Part::value("pages", &self.pages)?);
        parts.extend(
            self.scans
                .iter()
                .flatten()
                .map(|file| Part::file("scans", file)),
        );
        parts.extend(Part::value("sheet", &self.sheet)?);
        Ok(parts)
    }

    /// Reads the parts of a `multipart/form-data` body.
    pub fn from_parts(mut parts: Parts) -> Result<Self, Unreadable> {
        Ok(Self {
            file: parts.file("file")?,
            note: parts.optional_value("note")?,
            pages: parts.optional_value("pages")?,
            scans: Some(parts.files("scans")).filter(|files| !files.is_empty()),
            sheet: parts.optional_value("sheet")?,
        })
    }
}

impl Validate for UploadParts {}
