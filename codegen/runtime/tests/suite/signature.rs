use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::HeaderMap;
use openapi_generate_runtime::signature::{
    ID, SIGNATURE, SecretError, Secrets, SignatureError, TIMESTAMP,
};
use standardwebhooks::Webhook;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const MESSAGE: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const TIME: u64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;

fn headers(signature: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ID, MESSAGE.parse().unwrap());
    headers.insert(TIMESTAMP, TIME.into());
    headers.insert(SIGNATURE, signature.parse().unwrap());
    headers
}

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

#[test]
fn a_library_and_we_sign_alike() {
    let own = Secrets::new(SECRET).unwrap().sign(MESSAGE, TIME, BODY);
    assert_eq!(own, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    for secret in [SECRET, OTHER] {
        let library = Webhook::new(secret).unwrap();
        for body in [BODY, b"", "\u{20ac}\u{0}".as_bytes()] {
            let theirs = library.sign(MESSAGE, 1_614_265_330, body).unwrap();
            let secrets = Secrets::new(secret).unwrap();
            assert_eq!(secrets.sign(MESSAGE, TIME, body), theirs);
            assert_eq!(secrets.verify(&headers(&theirs), body, at(TIME)), Ok(()));
        }
    }
}

#[test]
fn time_is_tolerated_five_minutes_either_way() {
    let secrets = Secrets::new(SECRET).unwrap();
    let headers = headers(&secrets.sign(MESSAGE, TIME, BODY));
    for (now, expected) in [
        (TIME - 301, Err(SignatureError::Time)),
        (TIME - 300, Ok(())),
        (TIME + 300, Ok(())),
        (TIME + 301, Err(SignatureError::Time)),
        (0, Err(SignatureError::Time)),
    ] {
        assert_eq!(secrets.verify(&headers, BODY, at(now)), expected, "{now}");
    }
    let patient = secrets.tolerance(Duration::from_secs(301));
    assert_eq!(patient.verify(&headers, BODY, at(TIME + 301)), Ok(()));
}

#[test]
fn what_cannot_be_read_is_refused_with_its_name() {
    let secrets = Secrets::new(SECRET).unwrap();
    let good = headers(&secrets.sign(MESSAGE, TIME, BODY));
    for name in [ID, TIMESTAMP, SIGNATURE] {
        let mut without = good.clone();
        without.remove(name);
        let error = secrets.verify(&without, BODY, at(TIME)).unwrap_err();
        assert_eq!(error, SignatureError::Header(name));
        assert!(error.to_string().contains(name));
    }
    for time in [
        "",
        "-1",
        "+1614265330",
        "1614265330.0",
        "99999999999999999999",
    ] {
        let mut wrong = good.clone();
        wrong.insert(TIMESTAMP, time.parse().unwrap());
        let error = secrets.verify(&wrong, BODY, at(TIME)).unwrap_err();
        assert_eq!(error, SignatureError::Header(TIMESTAMP), "{time}");
    }
    let cut = secrets.sign(MESSAGE, TIME, BODY).replace("v1,", "v1,AAAA");
    for signature in [
        "",
        "v1,",
        "v1",
        &cut,
        &cut.replace("AAAA", "").replace("v1", "v2"),
    ] {
        let error = secrets.verify(&headers(signature), BODY, at(TIME));
        assert_eq!(error, Err(SignatureError::Mismatch), "{signature}");
    }
}

#[test]
fn a_secret_is_base64_as_an_encoder_writes_it() {
    let zeros = "A".repeat(33);
    for (text, is_read) in [
        (format!("{zeros}A=="), true),
        (format!("{zeros}B=="), false),
        (format!("{zeros}A="), false),
        (format!("{zeros}A"), false),
        (format!("{zeros}A==\n"), false),
        (format!("{zeros}AAA"), true),
        (format!("{zeros}A+/"), true),
        (format!("{zeros}A-_"), false),
    ] {
        let read = Secrets::new(&format!("whsec_{text}"));
        assert_eq!(read.is_ok(), is_read, "{text}");
    }
}

#[test]
fn a_secret_is_long_enough_and_never_shown() {
    for text in ["", "whsec_", "whsec_AAAA", "whsec_*", &SECRET[6..]] {
        assert_eq!(Secrets::new(text).unwrap_err(), SecretError, "{text}");
    }
    let secrets = Secrets::new(SECRET).unwrap().and(OTHER).unwrap();
    assert_eq!(format!("{secrets:?}"), "Secrets([2 redacted])");
    let headers = headers(&Secrets::new(OTHER).unwrap().sign(MESSAGE, TIME, BODY));
    assert_eq!(secrets.verify(&headers, BODY, at(TIME)), Ok(()));
    let other = Secrets::new(SECRET).unwrap();
    let refused = other.verify(&headers, BODY, at(TIME));
    assert_eq!(refused, Err(SignatureError::Mismatch));
}
