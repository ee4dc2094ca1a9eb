//! Judges a licence document of Hostdesk without asking anybody. Needs Rust 1.74 and the crates ed25519-dalek and serde_json.
//! `judge` answers the same as the libraries in other languages; all of them are tested with the cases of vectors.json.

#![allow(dead_code)]

use ed25519_dalek::{Signature, Verifier, VerifyingKey};
use serde_json::{Map, Value};
use std::net::Ipv6Addr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A key of the list `keys` of the operator's /.well-known/jwks.json.
pub type Key = Map<String, Value>;

/// The document is held against this. `revocations` is the text of /.well-known/licence-revocations, `least_seq` the highest `seq` seen so
/// far, `at` in seconds since 1970 (None: now). What is None is not compared; of the addresses one must fit.
#[derive(Clone, Default)]
pub struct Expected {
    pub keys: Vec<Key>,
    pub revocations: Option<String>,
    pub least_seq: f64,
    pub at: Option<f64>,
    pub ipv4: Option<Vec<String>>,
    pub ipv6: Option<Vec<String>>,
    pub fingerprint: Option<String>,
    pub licence_key: Option<String>,
    pub issuer: Option<String>,
    pub product: Option<String>,
    pub requires: Vec<String>,
}

/// The verdicts `valid` and `in_grace` are licensed; `not_licensed` is said of a true document that does not license this machine now;
/// `not_genuine` proves nothing. `plan` and `entitlements` say what counts at the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub verdict: String,
    pub reason: String,
    pub plan: Option<String>,
    pub entitlements: Map<String, Value>,
}

impl Judgement {
    pub fn is_licensed(&self) -> bool {
        self.verdict == "valid" || self.verdict == "in_grace"
    }
}

/// The reason why a text is not genuine.
pub type Reason = &'static str;

struct Kind {
    name: &'static str,
    longest: usize,
}

const DOCUMENT: Kind = Kind { name: "hostdesk-licence+jwt", longest: 65_536 };
const LIST: Kind = Kind { name: "hostdesk-revocations+jwt", longest: 2_000_000 };
// Seconds. A clock that is further back was perhaps set so, to keep an old document young.
const CLOCK_LEEWAY: f64 = 300.0;

/// Judges a licence document.
pub fn judge(document: &str, expected: &Expected) -> Judgement {
    let at = expected.at.unwrap_or_else(now);
    let (claims, list) = match genuine(document, expected) {
        Ok(read) => read,
        Err(reason) => return judgement("not_genuine", reason, None),
    };
    if let Some(reason) = refusal_of(&claims, expected, list.as_ref(), at) {
        return judgement("not_licensed", &reason, None);
    }
    let verdict = if at < number(&claims, "exp") { "valid" } else { "in_grace" };
    let is_old = list.is_some_and(|list| at >= number(&list, "exp"));
    judgement(verdict, if is_old { "list_expired" } else { verdict }, Some(in_force_at(&claims, at)))
}

/// The operator's list of void documents, with its `seq` to keep.
pub fn read_revocations(text: &str, keys: &[Key]) -> Result<Map<String, Value>, Reason> {
    let list = read_signed(text, keys, &LIST)?.1.ok_or("unknown_claims")?;
    let are_entries = list.get("revoked").and_then(Value::as_array).is_some_and(|all| all.iter().all(is_entry));
    let fits = ["seq", "iat", "exp"].iter().all(|name| is_whole(list.get(*name)));
    if are_entries && fits && list.get("withdrawn_keys").is_some_and(Value::is_array) {
        Ok(list)
    } else {
        Err("unknown_claims")
    }
}

/// The keys of the text of jwks.json.
pub fn keys_in(jwks: &str) -> Vec<Key> {
    let keys = serde_json::from_str::<Value>(jwks).ok().and_then(|set| set.get("keys").and_then(Value::as_array).cloned());
    keys.unwrap_or_default().into_iter().filter_map(|key| key.as_object().cloned()).collect()
}

fn judgement(verdict: &str, reason: &str, present: Option<&Map<String, Value>>) -> Judgement {
    Judgement {
        verdict: verdict.into(),
        reason: reason.into(),
        plan: present.and_then(|span| text(span, "plan")).map(Into::into),
        entitlements: present.and_then(|span| span.get("entitlements")?.as_object().cloned()).unwrap_or_default(),
    }
}

type Claims = Map<String, Value>;

fn genuine(document: &str, expected: &Expected) -> Result<(Claims, Option<Claims>), Reason> {
    let (kid, claims) = read_signed(document, &expected.keys, &DOCUMENT)?;
    let claims = claims.filter(are_claims).ok_or("unknown_claims")?;
    let Some(given) = &expected.revocations else { return Ok((claims, None)) };
    let list = read_revocations(given, &expected.keys).map_err(|_| "list_not_genuine")?;
    if number(&list, "seq") < expected.least_seq {
        return Err("list_rolled_back");
    }
    if array(&list, "withdrawn_keys").iter().any(|key| key == kid.as_str()) {
        return Err("withdrawn_key");
    }
    Ok((claims, Some(list)))
}

fn refusal_of(claims: &Claims, expected: &Expected, list: Option<&Claims>, at: f64) -> Option<String> {
    let differs = |wanted: &Option<String>, name| wanted.as_deref().is_some_and(|wanted| text(claims, name) != Some(wanted));
    let status = text(claims, "status").unwrap_or("");
    let is_revoked = |entry: &Value| {
        entry[0].as_str() == text(claims, "sub") && number(claims, "iat") < entry[1].as_f64().unwrap_or(0.0)
    };
    let entitlements = in_force_at(claims, at).get("entitlements");
    let refusal = if differs(&expected.issuer, "iss") {
        "other_issuer"
    } else if differs(&expected.licence_key, "licence_key") {
        "other_licence_key"
    // A document without a product is of the one that was there before there were several.
    } else if expected.product.as_deref().is_some_and(|product| product != text(claims, "product").unwrap_or("server")) {
        "other_product"
    } else if number(claims, "iat") > at + CLOCK_LEEWAY {
        "not_yet_issued"
    } else if !fits_address(claims, expected) {
        "address_mismatch"
    } else if text(claims, "machine").is_some() && differs(&expected.fingerprint, "machine") {
        "other_machine"
    } else if list.is_some_and(|list| array(list, "revoked").iter().any(is_revoked)) {
        "revoked"
    } else if ["free", "suspended", "too_many_machines"].contains(&status) {
        status
    // A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
    } else if status != "active" || !seconds_of(text(claims, "paid_until")).is_some_and(|end| at < end) {
        "expired"
    } else if at >= number(claims, "exp") + number(claims, "grace_s") {
        "document_expired"
    } else if !expected.requires.iter().all(|key| is_allowed(entitlements.and_then(|all| all.get(key)))) {
        "entitlement_missing"
    } else {
        return None;
    };
    Some(refusal.into())
}

fn fits_address(claims: &Claims, expected: &Expected) -> bool {
    if expected.ipv4.is_none() && expected.ipv6.is_none() {
        return true;
    }
    let ipv4 = text(claims, "ipv4");
    if expected.ipv4.iter().flatten().any(|one| Some(one.as_str()) == ipv4) {
        return true;
    }
    let Some((network, bits)) = text(claims, "ipv6").and_then(network_of) else { return false };
    let mask = if bits == 0 { 0 } else { u128::MAX << (128 - bits) };
    expected.ipv6.iter().flatten().filter_map(|one| one.parse::<Ipv6Addr>().ok()).any(|one| (u128::from(one) ^ network) & mask == 0)
}

fn network_of(licensed: &str) -> Option<(u128, u32)> {
    let (address, bits) = licensed.split_once('/').unwrap_or((licensed, "128"));
    let is_number = bits.bytes().all(|byte| byte.is_ascii_digit()) && (bits == "0" || !bits.starts_with('0'));
    let bits = if is_number { bits.parse().ok()? } else { return None };
    if bits > 128 { None } else { Some((address.parse::<Ipv6Addr>().ok()?.into(), bits)) }
}

/// What counts at a time: the newest of `next` that has begun, or the claims themselves.
fn in_force_at(claims: &Claims, at: f64) -> &Claims {
    let begun = |span: &&Claims| seconds_of(text(span, "from")).is_some_and(|from| from <= at);
    array(claims, "next").iter().filter_map(Value::as_object).filter(begun).last().unwrap_or(claims)
}

fn is_allowed(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(known)) => *known,
        Some(Value::Number(known)) => known.as_f64().is_some_and(|known| known > 0.0),
        Some(Value::String(known)) => !known.is_empty(),
        _ => false,
    }
}

/// The kid and the claims. The header chooses among our keys and nothing more: the way of signing is fixed (RFC 8725).
fn read_signed(document: &str, keys: &[Key], kind: &Kind) -> Result<(String, Option<Claims>), Reason> {
    let document = document.trim_matches([' ', '\t', '\r', '\n']);
    let parts: Vec<&str> = document.split('.').collect();
    let [head, body, signature] = parts[..] else { return Err("malformed") };
    if document.len() > kind.longest || !parts.iter().all(|part| is_part(part)) {
        return Err("malformed");
    }
    let header = object_in(head).ok_or("malformed")?;
    if text(&header, "alg") != Some("EdDSA") {
        return Err("wrong_algorithm");
    }
    if text(&header, "typ") != Some(kind.name) || header.contains_key("crit") {
        return Err("wrong_type");
    }
    let kid = text(&header, "kid").ok_or("unknown_key")?;
    let key = keys.iter().find(|key| text(key, "kid") == Some(kid)).ok_or("unknown_key")?;
    if key.get("withdrawn") == Some(&Value::Bool(true)) {
        return Err("withdrawn_key");
    }
    // A signature has one spelling only: no stray bits at its end.
    let (bytes, is_straight) = decoded(signature);
    let bytes: [u8; 64] = bytes.try_into().map_err(|_| "wrong_signature")?;
    if !is_straight {
        return Err("wrong_signature");
    }
    let public = public_key_of(key)?;
    let signed = format!("{head}.{body}");
    let is_signed = VerifyingKey::from_bytes(&public).is_ok_and(|key| key.verify(signed.as_bytes(), &Signature::from_bytes(&bytes)).is_ok());
    if is_signed { Ok((kid.into(), object_in(body))) } else { Err("wrong_signature") }
}

fn public_key_of(key: &Key) -> Result<[u8; 32], Reason> {
    let x = text(key, "x").filter(|x| is_part(x)).ok_or("unusable_key")?;
    if text(key, "kty") != Some("OKP") || text(key, "crv") != Some("Ed25519") {
        return Err("unusable_key");
    }
    decoded(x).0.try_into().map_err(|_| "unusable_key")
}

fn are_claims(claims: &Claims) -> bool {
    let is_text = |name: &&str| claims.get(*name).is_some_and(Value::is_string);
    let is_text_or_null = |name: &&str| claims.get(*name).is_some_and(|value| value.is_string() || value.is_null());
    ["iss", "sub", "licence_key", "status"].iter().all(is_text)
        && ["ipv4", "plan", "paid_until", "edition"].iter().all(is_text_or_null)
        && ["iat", "exp", "grace_s", "ver"].iter().all(|name| is_whole(claims.get(*name)))
        // Later versions only add claims to those of version 2.
        && number(claims, "ver") >= 2.0
        && claims.get("entitlements").is_some_and(Value::is_object)
        && claims.get("next").and_then(Value::as_array).is_some_and(|next| next.iter().all(is_beginning))
}

fn is_beginning(one: &Value) -> bool {
    ["from", "plan", "edition"].iter().all(|name| one.get(name).is_some_and(Value::is_string))
        && one.get("entitlements").is_some_and(Value::is_object)
}

fn is_entry(one: &Value) -> bool {
    one.is_array() && one.get(0).is_some_and(Value::is_string) && is_whole(one.get(1))
}

fn is_whole(value: Option<&Value>) -> bool {
    let number = value.filter(|value| value.is_number()).and_then(Value::as_f64);
    number.is_some_and(|number| number.trunc() == number && number.abs() <= 9_007_199_254_740_991.0)
}

/// A time in UTC as seconds; None for what cannot be read, which never comes and has never come.
fn seconds_of(moment: Option<&str>) -> Option<f64> {
    let moment = moment?.strip_suffix('Z').filter(|moment| moment.is_ascii())?;
    let (whole, fraction) = moment.split_once('.').map_or((moment, None), |(whole, fraction)| (whole, Some(fraction)));
    let shape: String = whole.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
    let is_fraction = |digits: &str| (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if shape != "0000-00-00T00:00:00" || !fraction.map_or(true, is_fraction) {
        return None;
    }
    let part = |from: usize, to: usize| whole[from..to].parse::<i64>().unwrap_or(0);
    let (year, month, day) = (part(0, 4), part(5, 7), part(8, 10));
    let (hour, minute, second) = (part(11, 13), part(14, 16), part(17, 19));
    if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let rest = fraction.map_or(0.0, |digits| format!("0.{digits}").parse().unwrap_or(0.0));
    Some((((days_until(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) as f64 + rest)
}

fn days_in(year: i64, month: i64) -> i64 {
    let next = if month == 12 { days_until(year + 1, 1, 1) } else { days_until(year, month + 1, 1) };
    next - days_until(year, month, 1)
}

/// The days from 1970 to a date. Years begin in March here, so that the day of a leap year is the last one.
fn days_until(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (153 * month + 2) / 5 + day - 1 - 719_468
}

fn is_part(part: &str) -> bool {
    !part.is_empty() && part.len() % 4 != 1 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// The bytes of a part (`is_part`), and true if no stray bits are behind them.
fn decoded(part: &str) -> (Vec<u8>, bool) {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut bytes, mut kept, mut bits) = (Vec::with_capacity(part.len()), 0u32, 0u32);
    for letter in part.bytes() {
        let place = LETTERS.iter().position(|known| *known == letter).unwrap_or(0) as u32;
        kept = kept << 6 | place;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((kept >> bits) as u8);
            kept &= (1 << bits) - 1;
        }
    }
    (bytes, kept == 0)
}

/// A part of a document as an object; None where it is none.
pub(crate) fn object_in(part: &str) -> Option<Claims> {
    match serde_json::from_slice(&decoded(part).0).ok()? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

pub(crate) fn text<'a>(claims: &'a Claims, name: &str) -> Option<&'a str> {
    claims.get(name)?.as_str()
}

pub(crate) fn number(claims: &Claims, name: &str) -> f64 {
    claims.get(name).and_then(Value::as_f64).unwrap_or(0.0)
}

fn array<'a>(claims: &'a Claims, name: &str) -> &'a [Value] {
    claims.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
