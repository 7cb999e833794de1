//! The client and the server of the slice, talking to each other over a socket.

mod bodies;
mod events;
mod failures;
mod links;
mod models;
mod pieces;
mod refusals;
mod requests;
mod retries;
mod shop;
mod streams;
mod success;
