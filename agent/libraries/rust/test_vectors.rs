//! Runs the shared cases, or those of the file VECTORS: cargo run
mod hostdesk_licence;

use hostdesk_licence::{judge, keys_in, Expected, Judgement};
use serde_json::Value;

fn main() {
    let file = std::env::var("VECTORS").unwrap_or_else(|_| "../../vectors.json".into());
    let text = std::fs::read_to_string(file).expect("the cases cannot be read");
    let vectors: Value = serde_json::from_str(&text).expect("the cases cannot be read");
    let (keys, cases) = (keys_in(&text), vectors["cases"].as_array().expect("no cases"));
    let mut wrong = 0;
    for one in cases {
        let (given, answer) = (&one["expected"], &one["answer"]);
        let texts = |value: &Value| value.as_array().map(|all| all.iter().filter_map(|one| Some(one.as_str()?.into())).collect());
        let text = |value: &Value| value.as_str().map(String::from);
        let expected = Expected {
            keys: keys.clone(),
            revocations: text(&given["revocations"]),
            least_seq: given["least_seq"].as_f64().unwrap_or(0.0),
            at: given["at"].as_f64(),
            ipv4: texts(&given["ipv4"]),
            ipv6: texts(&given["ipv6"]),
            fingerprint: text(&given["fingerprint"]),
            licence_key: text(&given["licence_key"]),
            product: text(&given["product"]),
            issuer: text(&given["issuer"]),
            requires: texts(&given["requires"]).unwrap_or_default(),
        };
        let right = Judgement {
            verdict: answer["verdict"].as_str().unwrap_or("").into(),
            reason: answer["reason"].as_str().unwrap_or("").into(),
            plan: text(&answer["plan"]),
            entitlements: answer["entitlements"].as_object().cloned().unwrap_or_default(),
        };
        let got = judge(one["document"].as_str().unwrap_or(""), &expected);
        if got != right {
            wrong += 1;
            eprintln!("{}: expected {right:?}, got {got:?}", one["name"]);
        }
    }
    println!("{} of {}", cases.len() - wrong, cases.len());
    std::process::exit(i32::from(wrong > 0));
}
