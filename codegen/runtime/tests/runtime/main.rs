//! The parts of the runtime, one file of tests for each.
#![cfg(test)]

mod address;
mod base64;
mod constraint;
mod date;
mod decimal;
mod event;
mod form;
mod json;
mod media_type;
mod multipart;
mod nullable;
mod number;
mod occasion;
mod parameter;
mod pattern;
mod percent;
mod retry;
mod routes;
mod sensitive;
mod signature;
mod timestamp;
mod union;
mod uuid;
