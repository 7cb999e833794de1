impl QueryStyles {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `listThings`.
    ///
    /// `GET /things`
    pub fn list_things(
        &self,
        colours: Vec<String>,
        near: BTreeMap<String, i64>,
        raw: impl Into<String>,
        sizes: Vec<String>,
        tags: Vec<String>,
        units: Vec<String>,
    ) -> Request<ListThings> {
        Request::new(
            &self.connection,
            operations::query_styles::ListThingsParameters {
                colours,
                near,
                raw: raw.into(),
                sizes,
                tags,
                units,
            },
        )
    }
}

/// The operation `listThings`.
#[derive(Clone, Copy, Debug)]
pub struct ListThings;
