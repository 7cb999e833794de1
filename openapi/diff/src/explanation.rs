//! Explanation: what a change breaks, for whom, and what to do instead.

use super::rule::{Action, Area, Direction, Kind, Level, Rule};

impl Rule {
    /// A page about the rule: what happened, what breaks, and what to do instead.
    pub fn explanation(&self) -> String {
        let reference = match self.reference {
            Some(level) if level == self.level => "oasdiff uses the same level.".to_owned(),
            Some(level) => format!(
                "oasdiff uses the level {level}. Higher here because {}",
                self.why_heavier()
            ),
            None => "oasdiff has no such rule.".to_owned(),
        };
        format!(
            "{}: {}\n\nWhat happened: {}.\nWhat breaks: {}\nInstead: {}\n\n{} · {} · {} · {}. {reference}\n",
            self.level,
            self.id,
            self.summary,
            self.consequence(),
            self.advice(),
            self.direction,
            self.area,
            self.kind,
            self.action,
        )
    }

    /// What breaks, and for whom.
    pub fn consequence(&self) -> &'static str {
        match (self.level, self.direction, self.kind) {
            (Level::Info, Direction::Request, _) => {
                "nothing: the service accepts the same requests as before."
            }
            (Level::Info, Direction::Response, _) => {
                "nothing: clients can read responses as before."
            }
            (Level::Info, Direction::None, _) => "nothing.",
            _ if self.area == Area::Behaviour => self.consequence_of_behaviour(),
            (_, Direction::Request | Direction::Response, Kind::Lifecycle) => {
                "clients have less time than promised, or do not know how much time they have."
            }
            (Level::Warning, Direction::Request, Kind::Values) => {
                "clients that omit the value silently get another behaviour."
            }
            (_, Direction::Request, Kind::Existence) => {
                "the service refuses requests that follow the old contract, or ignores a part of them."
            }
            (_, Direction::Request, Kind::Type) => {
                "the service refuses or misreads values that follow the old contract; generated code has another type."
            }
            (_, Direction::Request, _) => {
                "the service refuses requests that were valid before; generated code that checks requests refuses them, too."
            }
            (_, Direction::Response, Kind::Existence | Kind::Mutability) => {
                "clients that read the value find it missing; generated code fails to decode the response if the value was required."
            }
            (_, Direction::Response, Kind::Values) => {
                "clients get a value that was not listed; generated code without an open variant fails to decode it."
            }
            (_, Direction::Response, Kind::Requiredness) => {
                "clients that rely on the value find it missing; generated code fails to decode the response."
            }
            (_, Direction::Response, _) => {
                "clients get values that the old contract excluded; generated code may fail to decode them."
            }
            (_, Direction::None, _) => match self.area {
                Area::Security => {
                    "the service refuses clients whose credentials were sufficient before."
                }
                Area::Servers => "clients that use the address get no response.",
                Area::Callbacks => "receivers wait for a request that the service no longer sends.",
                Area::Paths
                    if self.kind == Kind::Type
                        || self.kind == Kind::Existence && self.level == Level::Warning =>
                {
                    "nothing on the wire; a method of generated code has another name."
                }
                Area::Paths => {
                    "the service refuses clients of the operation, or announces the end too late."
                }
                _ => "clients that rely on it find it missing.",
            },
        }
    }

    fn consequence_of_behaviour(&self) -> &'static str {
        match (self.direction, self.kind) {
            (Direction::Request, Kind::Values) => {
                "clients that omit the value silently get another behaviour."
            }
            (Direction::Request, Kind::Structure) => {
                "clients that repeat a request after a lost response cause its effect twice."
            }
            (Direction::Request, Kind::Existence) => {
                "clients that filter a list get other items than before."
            }
            (Direction::Request, _) => "the service refuses requests that it accepted before.",
            (_, Kind::Structure) => "clients that read all pages of a list miss or repeat items.",
            _ => "clients that wait for a value, or rely on an order, get another one.",
        }
    }

    /// What to do instead of the change.
    pub fn advice(&self) -> &'static str {
        match (self.direction, self.kind, self.action) {
            _ if self.level == Level::Info => "no action is needed",
            _ if self.area == Area::Behaviour => {
                "keep the behaviour, and offer the new one in a new operation or parameter; if only the text changed, accept \
                 or reject the fact in `behaviour.yaml` with `conformance facts`"
            }
            (_, Kind::Lifecycle, _) => {
                "announce the end with `deprecated: true` and an `x-sunset` far enough ahead, and keep that date"
            }
            (
                Direction::Request,
                Kind::Existence | Kind::Requiredness,
                Action::Add | Action::Change,
            ) => {
                "make it optional with a documented default, or add it to a new version of the operation"
            }
            (Direction::Request, Kind::Existence, _) => {
                "deprecate it with an `x-sunset` first, and accept it until then"
            }
            (Direction::Request, Kind::Constraints, _) => {
                "accept all values that were valid; enforce the new limit in a new version of the operation"
            }
            (Direction::Request, Kind::Values, Action::Remove) => {
                "deprecate the value first, and keep accepting it"
            }
            (Direction::Request, Kind::Values, _) => {
                "keep the value, and offer the new one in a new field"
            }
            (Direction::Request, _, _) => {
                "keep the old form and offer the new one beside it, in a new field or media type"
            }
            (Direction::Response, Kind::Values, _) => {
                "use `x-extensible-enum` from the start for values that may grow; otherwise return the new value in a new field"
            }
            (Direction::Response, Kind::Existence | Kind::Mutability, _) => {
                "deprecate it with an `x-sunset` first, and return it until then"
            }
            (Direction::Response, Kind::Requiredness, _) => {
                "always return a value; put an optional value into a new field"
            }
            (Direction::Response, _, _) => {
                "keep the old limits, or return the new form in a new field or media type"
            }
            (Direction::None, _, _) => match self.area {
                Area::Security => {
                    "accept the old credentials beside the new ones until clients have migrated"
                }
                Area::Servers => "keep the old address in service, and list both",
                Area::Paths if self.action == Action::Remove && self.level == Level::Error => {
                    "deprecate it with an `x-sunset` first, and remove it after that day"
                }
                Area::Paths => "keep the name; use a new name only for a new operation",
                _ => "keep it until all clients have migrated",
            },
        }
    }

    /// Why the level of a rule is higher here than in oasdiff.
    fn why_heavier(&self) -> &'static str {
        match self.kind {
            Kind::Values if self.direction == Direction::Response => {
                "a closed enumeration is an `enum` in generated code, which cannot hold a new value."
            }
            Kind::Values => "the behaviour changes for clients that omit the value.",
            Kind::Mutability => {
                "the property appears in requests or responses, or disappears from them."
            }
            Kind::Structure => {
                "the valid messages change, or the values that generated code accepts."
            }
            Kind::Constraints => "responses may have values that were excluded.",
            Kind::Type | Kind::Existence if self.area == Area::Security => {
                "clients lose access, or cannot get tokens."
            }
            _ => "a name in generated code changes.",
        }
    }
}
