//! The client and the server of the slice, talking over a socket.
