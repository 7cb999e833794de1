impl ServedPages {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `byHeader`.
    ///
    /// `GET /header`
    pub fn by_header(&self) -> Request<ByHeader> {
        Request::new(
            &self.connection,
            operations::served_pages::ByHeaderParameters::default(),
        )
    }

    /// The operation `byOffset`.
    ///
    /// `GET /offset`
    pub fn by_offset(&self) -> Request<ByOffset> {
        Request::new(
            &self.connection,
            operations::served_pages::ByOffsetParameters::default(),
        )
    }

    /// The operation `byRelation`.
    ///
    /// `GET /relation`
    pub fn by_relation(&self) -> Request<ByRelation> {
        Request::new(
            &self.connection,
            operations::served_pages::ByRelationParameters::default(),
        )
    }
}
