//! Asks an installation of Hostdesk by licence key, for software that floats or has no agent. Stands beside hostdesk_licence.rs. `check` takes
//! a seat of a floating licence, or extends it; `release` gives it back. Both leave HTTPS to `send`, a client of your choice.

#![allow(dead_code)]

use crate::hostdesk_licence::{judge, number, object_in, text, Expected, Key};
use serde_json::{json, Map, Value};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// With `keys` (the operator's) an answer is valid only if a document with their signature answers this very question; without them HTTPS
/// alone proves it. `fingerprint` is 64 hexadecimal digits that stay the same on this machine.
#[derive(Clone, Default)]
pub struct Question {
    pub server: String,
    pub licence_key: String,
    pub keys: Option<Vec<Key>>,
    pub fingerprint: Option<String>,
    pub boot: Option<String>,
    pub product: Option<String>,
    pub hostname: Option<String>,
    pub ipv4: Option<String>,
    pub ipv6: Option<String>,
    pub requires: Vec<String>,
}

/// The seconds count from the answer: the clock of this machine may be wrong.
#[derive(Clone, Debug)]
pub struct Lease {
    pub until: String,
    pub renew_at: String,
    pub lasts_s: f64,
    pub renew_in_s: f64,
}

/// `code` is valid, why not as the installation says it, unproven, or a reason of `judge`. `lease` is None without a seat.
#[derive(Clone, Debug)]
pub struct Answer {
    pub valid: bool,
    pub code: String,
    pub edition: Option<String>,
    pub entitlements: Map<String, Value>,
    pub lease: Option<Lease>,
    pub document: Option<String>,
}

/// Says if the licence counts now. `send` posts a body of JSON to an address and returns the body of an answer with status 200.
pub fn check<E: From<String>>(question: &Question, send: impl Fn(&str, &str) -> Result<String, E>) -> Result<Answer, E> {
    let nonce = nonce();
    let mut body = named(question);
    body.insert("product".into(), json!(question.product));
    body.insert("hostname".into(), json!(question.hostname));
    body.insert("ipv4".into(), json!(question.ipv4));
    body.insert("ipv6".into(), json!(question.ipv6));
    body.insert("entitlements".into(), json!(question.requires));
    body.insert("nonce".into(), json!(nonce));
    let told = post(question, "validate", body, send)?;
    let document = text(&told, "document").unwrap_or("");
    let said = text(&told, "code").unwrap_or("unproven");
    let (code, most) = match &question.keys {
        Some(keys) if said == "valid" => proof(document, question, keys, &nonce),
        _ => (said.into(), f64::MAX),
    };
    let lease = told.get("lease").and_then(Value::as_object).filter(|_| code == "valid").map(|lease| Lease {
        until: text(lease, "until").unwrap_or("").into(),
        renew_at: text(lease, "renew_at").unwrap_or("").into(),
        lasts_s: number(lease, "lasts_s").min(most),
        renew_in_s: number(lease, "renew_in_s"),
    });
    Ok(Answer {
        valid: code == "valid",
        code,
        edition: text(&told, "edition").map(Into::into),
        entitlements: told.get("entitlements").and_then(Value::as_object).cloned().unwrap_or_default(),
        lease,
        document: text(&told, "document").map(Into::into),
    })
}

/// Gives back the seat; true if this machine held one.
pub fn release<E: From<String>>(question: &Question, send: impl Fn(&str, &str) -> Result<String, E>) -> Result<bool, E> {
    Ok(post(question, "release", named(question), send)?.get("released") == Some(&Value::Bool(true)))
}

/// The document is judged at its own time: it is as old as the question.
fn proof(document: &str, question: &Question, keys: &[Key], nonce: &str) -> (String, f64) {
    let claims = document.split('.').nth(1).and_then(object_in).unwrap_or_default();
    if text(&claims, "nonce") != Some(nonce) {
        return ("unproven".into(), 0.0);
    }
    let iat = number(&claims, "iat");
    let expected = Expected {
        keys: keys.to_vec(),
        at: Some(iat),
        fingerprint: question.fingerprint.clone(),
        product: question.product.clone(),
        requires: question.requires.clone(),
        ..Expected::default()
    };
    (judge(document, &expected).reason, number(&claims, "exp") - iat)
}

/// The standard library has no other source of random numbers: the keys of its hash tables come from the system.
fn nonce() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

fn named(question: &Question) -> Map<String, Value> {
    let mut named = Map::new();
    named.insert("licence_key".into(), json!(question.licence_key));
    named.insert("fingerprint".into(), json!(question.fingerprint));
    named.insert("boot".into(), json!(question.boot));
    named
}

fn post<E: From<String>>(
    question: &Question,
    path: &str,
    mut body: Map<String, Value>,
    send: impl Fn(&str, &str) -> Result<String, E>,
) -> Result<Map<String, Value>, E> {
    body.retain(|_, value| !value.is_null());
    let address = format!("{}/api/licences/{path}/", question.server);
    let told = send(&address, &Value::Object(body).to_string())?;
    match serde_json::from_str(&told) {
        Ok(Value::Object(answer)) => Ok(answer),
        _ => Err(E::from("the installation gave no answer".into())),
    }
}
