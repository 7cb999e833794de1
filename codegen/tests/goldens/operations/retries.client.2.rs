impl Retries {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `replace`.
    ///
    /// `PUT /things`
    pub fn replace(&self) -> Request<Replace> {
        Request::new(&self.connection, ())
    }

    /// The operation `add`.
    ///
    /// `POST /things`
    pub fn add(&self) -> Request<Add> {
        Request::new(&self.connection, ())
    }

    /// The operation `count`.
    ///
    /// `POST /things/harmless`
    pub fn count(&self) -> Request<Count> {
        Request::new(&self.connection, ())
    }

    /// The operation `addOnce`.
    ///
    /// `POST /things/keyed`
    pub fn add_once(&self) -> Request<AddOnce> {
        Request::new(
            &self.connection,
            operations::retries::AddOnceParameters::default(),
        )
    }
}
