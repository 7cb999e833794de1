impl WriteEvent for ChangesEvent {
    fn event_name(&self) -> Option<&str> {
        match self {
            Self::Renamed(_) => Some("renamed"),
            Self::Grown(_) => Some("grown"),
            Self::Tagged(_) => Some("tagged"),
            Self::Unknown(_) => None,
        }
    }

    fn event_text(&self) -> Result<String, serde_json::Error> {
        match self {
            Self::Renamed(data) => event::written(data),
            Self::Grown(data) => event::written(data),
            Self::Tagged(data) => event::written(data),
            Self::Unknown(text) => Ok(text.clone()),
        }
    }
}
