impl HeaderAndCookieParameters {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `countThings`.
    ///
    /// `GET /things`
    pub fn count_things(
        &self,
        x_filter: JsonText<BTreeMap<String, i64>>,
        x_place: BTreeMap<String, i64>,
        x_tags: Vec<String>,
        session: impl Into<String>,
    ) -> Request<CountThings> {
        Request::new(
            &self.connection,
            operations::header_and_cookie_parameters::CountThingsParameters {
                x_filter,
                x_place,
                x_tags,
                session: session.into(),
            },
        )
    }
}

/// The operation `countThings`.
#[derive(Clone, Copy, Debug)]
pub struct CountThings;
