//! Takes, extends and gives back a seat at SERVER with LICENCE_KEY, and prints what it hears.
mod hostdesk_licence;
mod hostdesk_online;

use hostdesk_licence::keys_in;
use hostdesk_online::{check, release, Question};
use std::env::var;
use std::io::{Read, Write};
use std::net::TcpStream;

fn main() -> Result<(), String> {
    let keys = keys_in(&std::fs::read_to_string(var("JWKS").unwrap_or_default()).unwrap_or_default());
    let question = |letter: &str, requires: &[&str]| Question {
        server: var("SERVER").unwrap_or_default(),
        licence_key: var("LICENCE_KEY").unwrap_or_default(),
        keys: Some(keys.clone()),
        fingerprint: Some(letter.repeat(64)),
        requires: requires.iter().map(|key| key.to_string()).collect(),
        ..Question::default()
    };
    let (one, other) = (question("a", &["größe"]), question("b", &[]));
    let answer = check(&one, send)?;
    let lease = answer.lease.ok_or(answer.code.clone())?;
    println!("{} {} {}", answer.code, lease.lasts_s, lease.renew_in_s);
    println!("{}", check(&other, send)?.code);
    println!("{} {}", release(&one, send)?, check(&other, send)?.code);
    println!("{}", check(&Question { keys: Some(vec![]), ..other.clone() }, send)?.code);
    println!("{} {}", release(&other, send)?, release(&other, send)?);
    Ok(())
}

/// Posts without TLS, as a test on one machine may.
fn send(address: &str, body: &str) -> Result<String, String> {
    let (host, path) = address.trim_start_matches("http://").split_once('/').ok_or("no address")?;
    let mut stream = TcpStream::connect(host).map_err(|error| error.to_string())?;
    let head = format!("POST /{path} HTTP/1.0\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).map_err(|error| error.to_string())?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).map_err(|error| error.to_string())?;
    match reply.split_once("\r\n\r\n") {
        Some((head, body)) if head.contains(" 200 ") => Ok(body.into()),
        _ => Err(reply),
    }
}
