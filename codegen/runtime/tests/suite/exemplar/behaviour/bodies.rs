//! Bodies that are no JSON, several media types, several successes.

use reqwest::header::CONTENT_TYPE;

use super::shop::{client, client_of, http, shop};
use crate::client::{
    AddNoteSuccess, Client, DeleteFileError, DeleteFileSuccess, DownloadFileError, Error, Settings,
    UploadFileError,
};
use crate::models::{FileNote, FileNoteAuthor, FileUpload, Purpose};
use crate::operations::files::AddNoteBody;
use crate::runtime::multipart::File;

fn upload() -> FileUpload {
    let file = File::new("passport.png", vec![0, 13, 10, 255]);
    FileUpload {
        purpose: Purpose::Identity,
        file,
        labels: None,
    }
}

fn note(text: &str) -> FileNote {
    let author = FileNoteAuthor {
        name: Some("A & B".into()),
    };
    FileNote {
        text: text.into(),
        author: Some(author),
    }
}

#[tokio::test]
async fn a_file_travels_in_a_part() {
    let files = client().await.files();
    let record = files.upload_file(&upload()).await.unwrap().body;
    assert_eq!((record.id.as_str(), record.size), ("identity", Some(4)));

    let labelled = FileUpload {
        labels: Some(vec!["a;b".into(), "c".into()]),
        ..upload()
    };
    let error = files.upload_file(&labelled).await.unwrap_err();
    assert_eq!(error.status().unwrap(), 409);
    let Some(UploadFileError::Default(problem)) = error.refusal() else {
        panic!("{error:?}");
    };
    assert!(
        problem.title.contains(r#"labels: Some(["a;b", "c"])"#),
        "{}",
        problem.title
    );
    assert!(
        problem.title.contains(r#"name: Some("passport.png")"#),
        "{}",
        problem.title
    );
}

#[tokio::test]
async fn parts_are_checked_too() {
    let labelled = FileUpload {
        labels: Some(vec!["a".into(), "a".into()]),
        ..upload()
    };
    let error = client()
        .await
        .files()
        .upload_file(&labelled)
        .await
        .unwrap_err();
    assert_eq!(error.status().unwrap(), 422);

    let address = format!("{}/files", shop().await);
    let bodies = [
        ("application/json", "{}", 415),
        ("multipart/form-data; boundary=b", "nothing", 400),
        ("multipart/form-data; boundary=b", "--b--", 422),
    ];
    for (content_type, body, status) in bodies {
        let request = http().post(&address).header(CONTENT_TYPE, content_type);
        assert_eq!(
            request.body(body).send().await.unwrap().status(),
            status,
            "{body}"
        );
    }
}

#[tokio::test]
async fn bytes_and_text_come_back_as_they_are() {
    let client = Client::new(Settings::new(shop().await).session("s 1")).unwrap();
    let id = vec!["a/b".to_owned(), "c".to_owned()];
    let call = client.files().download_file(id).purpose(Purpose::Dispute);
    let response = call.filter(note("hi")).trace("t;1").await.unwrap();
    let expected = concat!(
        r#"DownloadFileParameters { id: ["a/b", "c"], purpose: Some(Dispute), "#,
        r#"filter: Some(JsonText(FileNote { text: "hi", author: "#,
        r#"Some(FileNoteAuthor { name: Some("A & B") }) })), trace: Some("t;1") } "#,
        "trace=t%3B1; sid=s%201",
    );
    assert_eq!(response.body, expected);

    let error = client
        .files()
        .download_file(vec!["unknown".into()])
        .await
        .unwrap_err();
    let expected = DownloadFileError::NotFound("no such file".into());
    assert_eq!(error.refusal(), Some(&expected));
}

#[tokio::test]
async fn each_success_has_its_variant() {
    let files = client().await.files();
    assert_eq!(
        files.delete_file("now").await.unwrap().body,
        DeleteFileSuccess::NoContent
    );
    let later = files.delete_file("later").await.unwrap().body;
    assert!(matches!(later, DeleteFileSuccess::Accepted(record) if record.id == "later"));
    let never = files.delete_file("never").await.unwrap_err();
    assert!(matches!(never.refusal(), Some(DeleteFileError::ClientError(it)) if it.status == 423));
}

#[tokio::test]
async fn an_operation_may_take_several_media_types() {
    let files = client().await.files();
    for body in [
        AddNoteBody::Json(note("short")),
        AddNoteBody::Form(note("a b+c")),
    ] {
        let expected = match &body {
            AddNoteBody::Json(note) | AddNoteBody::Form(note) => note.clone(),
            AddNoteBody::Text(_) => unreachable!(),
        };
        let response = files.add_note("7", &body).await.unwrap();
        assert_eq!(response.body, AddNoteSuccess::Json(expected));
    }
    let response = files
        .add_note("ä/1", &AddNoteBody::Text("hello".into()))
        .await
        .unwrap();
    assert_eq!(response.body, AddNoteSuccess::Text("ä/1 hello".into()));
}

#[tokio::test]
async fn constraints_hold_in_forms_as_in_json() {
    let files = client().await.files();
    let long = note("longer than ten");
    for body in [AddNoteBody::Json(long.clone()), AddNoteBody::Form(long)] {
        let Err(Error::Unexpected(answer)) = files.add_note("7", &body).await else {
            panic!("expected a refusal");
        };
        assert_eq!(answer.status, 422);
        assert!(answer.read_text().unwrap().contains(r#""pointer":"/text""#));
    }
}

#[tokio::test]
async fn a_path_parameter_cannot_climb() {
    let files = client_of("http://127.0.0.1:1").files();
    for id in ["", ".", ".."] {
        assert!(
            matches!(files.delete_file(id).await, Err(Error::Request(_))),
            "{id:?}"
        );
    }
}
