//! What a rule means: what breaks, for whom, and what to do instead.

use super::rule::{Action, Area, Direction, Kind, Level, Rule};

impl Rule {
    /// A page about the rule: what happened, what breaks for whom, what to do instead.
    pub fn explanation(&self) -> String {
        let reference = match self.reference {
            Some(level) if level == self.level => "oasdiff weighs it the same.".to_owned(),
            Some(level) => format!("oasdiff weighs it as {level}: {}", self.why_heavier()),
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
                "nothing: what callers send is taken as before."
            }
            (Level::Info, Direction::Response, _) => {
                "nothing: callers that read what was documented go on to do so."
            }
            (Level::Info, Direction::None, _) => "nothing.",
            _ if self.area == Area::Behaviour => self.consequence_of_behaviour(),
            (_, Direction::Request | Direction::Response, Kind::Lifecycle) => {
                "callers have less time than they were promised, or do not learn how much they have."
            }
            (Level::Warning, Direction::Request, Kind::Values) => {
                "callers that leave the value out get another behaviour than before, without a sign of it."
            }
            (_, Direction::Request, Kind::Existence) => {
                "callers that send what the contract said are refused, or what they send is passed over."
            }
            (_, Direction::Request, Kind::Type) => {
                "callers write the value as the contract said, and are refused or misread; generated code has another type."
            }
            (_, Direction::Request, _) => {
                "callers that send what was valid before are refused; generated code that checks requests refuses them itself."
            }
            (_, Direction::Response, Kind::Existence | Kind::Mutability) => {
                "callers that read what was there find it missing; generated code fails to decode where it was required."
            }
            (_, Direction::Response, Kind::Values) => {
                "callers that know the listed values meet another one; generated code without an open variant fails to decode."
            }
            (_, Direction::Response, Kind::Requiredness) => {
                "callers that rely on a value find none; generated code fails to decode."
            }
            (_, Direction::Response, _) => {
                "callers meet values that the contract ruled out; generated code may fail to decode them."
            }
            (_, Direction::None, _) => match self.area {
                Area::Security => "callers with credentials that were enough are refused.",
                Area::Servers => "callers that use the address find nobody there.",
                Area::Callbacks => "receivers wait for what is no longer sent.",
                Area::Paths
                    if self.kind == Kind::Type
                        || self.kind == Kind::Existence && self.level == Level::Warning =>
                {
                    "nothing on the wire; a method of generated code has another name."
                }
                Area::Paths => {
                    "callers of the operation are refused, or not told in time that they will be."
                }
                _ => "those who rely on it find it gone.",
            },
        }
    }

    fn consequence_of_behaviour(&self) -> &'static str {
        match (self.direction, self.kind) {
            (Direction::Request, Kind::Values) => {
                "callers that leave the value out get another behaviour than before, without a sign of it."
            }
            (Direction::Request, Kind::Structure) => {
                "callers that repeat a request whose answer was lost cause its effect twice."
            }
            (Direction::Request, Kind::Existence) => {
                "callers that filter a list get other items than before."
            }
            (Direction::Request, _) => "callers whose requests were accepted are refused.",
            (_, Kind::Structure) => "callers that read all pages of a list read it wrongly.",
            _ => "callers that wait for a value, or rely on an order, meet another one.",
        }
    }

    /// What to do instead.
    pub fn advice(&self) -> &'static str {
        match (self.direction, self.kind, self.action) {
            _ if self.level == Level::Info => "nothing has to be done",
            _ if self.area == Area::Behaviour => {
                "keep the behaviour, and offer the other one in a new operation or parameter; where only the words changed, rule on \
                 the fact in `behaviour.yaml` with `conformance facts`"
            }
            (_, Kind::Lifecycle, _) => {
                "announce the end with `deprecated: true` and an `x-sunset` far enough ahead, and keep to it"
            }
            (
                Direction::Request,
                Kind::Existence | Kind::Requiredness,
                Action::Add | Action::Change,
            ) => {
                "make it optional with a documented default, or take it in a new version of the operation"
            }
            (Direction::Request, Kind::Existence, _) => {
                "deprecate it with an `x-sunset` first, and go on to accept it until then"
            }
            (Direction::Request, Kind::Constraints, _) => {
                "go on to accept what was valid; enforce the new limit in a new version of the operation"
            }
            (Direction::Request, Kind::Values, Action::Remove) => {
                "deprecate the value first, and go on to accept it"
            }
            (Direction::Request, Kind::Values, _) => {
                "keep the value, and offer the other one in a new field"
            }
            (Direction::Request, _, _) => {
                "keep the old form and offer the new one beside it, in a new field or media type"
            }
            (Direction::Response, Kind::Values, _) => {
                "list values that may grow under `x-extensible-enum` from the start; else answer the new value in a new field"
            }
            (Direction::Response, Kind::Existence | Kind::Mutability, _) => {
                "deprecate it with an `x-sunset` first, and go on to answer it until then"
            }
            (Direction::Response, Kind::Requiredness, _) => {
                "go on to answer a value always; what may be missing belongs into a new field"
            }
            (Direction::Response, _, _) => {
                "keep answering within the old limits, or answer the new form in a new field or media type"
            }
            (Direction::None, _, _) => match self.area {
                Area::Security => {
                    "accept the old credentials beside the new ones until callers have changed over"
                }
                Area::Servers => "keep the old address alive, and list both",
                Area::Paths if self.action == Action::Remove && self.level == Level::Error => {
                    "deprecate it with an `x-sunset` first, and remove it after that day"
                }
                Area::Paths => "keep the name; a new one belongs to a new operation",
                _ => "keep it until those who use it have changed over",
            },
        }
    }

    /// Why a rule weighs more here than in oasdiff.
    fn why_heavier(&self) -> &'static str {
        match self.kind {
            Kind::Values if self.direction == Direction::Response => {
                "a closed enumeration is an `enum` in generated code, which cannot hold a new value."
            }
            Kind::Values => "the behaviour changes for those who send nothing.",
            Kind::Mutability => "the property comes into what travels, or leaves it.",
            Kind::Structure => "what is valid on the wire, or what generated code takes, changes.",
            Kind::Constraints => "responses may hold what was ruled out.",
            Kind::Type | Kind::Existence if self.area == Area::Security => {
                "callers are locked out, or fetch tokens in vain."
            }
            _ => "a name in generated code changes.",
        }
    }
}
