crate::object! {
    DropletPages: Ignored {
        0 "next" => next optional,
    }
}
