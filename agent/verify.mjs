#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { readKeys } from './keys.mjs'
import { keyIdOf } from './judge.mjs'
import { judgeLicence } from './licence.mjs'

const help = `Says whether a licence document licenses this machine, without asking anybody.

  node verify.mjs licence.jws --keys jwks.json --ipv4 203.0.113.7

  --keys FILE|ADDRESS   the operator's public keys, from https://…/.well-known/jwks.json
  --cache FILE          keeps what the address said, and asks it again for a key it lacks and once a day
  --revocations FILE    the operator's list of void documents, from https://…/.well-known/licence-revocations
  --ipv4 ADDRESS        the address the licence must be for; 'own' is any of this machine's, 'any' skips the check
  --licence-key KEY     the licence key it must be for
  --issuer ORIGIN       who must have issued it, as https://account.example.com
  --now TIME            another time than now, as 2026-12-24T18:00:00Z
  --json                prints verdict, reason and claims as JSON

Ends with 0 where it is licensed (also in the time of grace), 1 where it is not, 2 where the document is not genuine,
64 where the question cannot be answered.
`

const endings = { valid: 0, in_grace: 0, not_licensed: 1, not_genuine: 2 }
const UNANSWERED = 64

try {
  process.exitCode = await answer()
} catch (error) {
  process.stderr.write(`verify: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = UNANSWERED
}

async function answer() {
  const text = /** @type {const} */ ({ type: 'string' })
  const yes = /** @type {const} */ ({ type: 'boolean' })
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      keys: text,
      cache: text,
      revocations: text,
      ipv4: text,
      'licence-key': text,
      issuer: text,
      now: text,
      json: yes,
      help: yes,
    },
  })
  const [file, ...more] = positionals
  if (values.help || file === undefined || more.length > 0 || !values.keys || !values.ipv4) {
    process.stderr.write(help)
    return values.help ? 0 : UNANSWERED
  }
  const document = await readFile(file, 'utf8')
  const keys = await readKeys(values.keys, { cache: values.cache, kid: keyIdOf(document) })
  const judgement = judgeLicence(document, {
    keys,
    ipv4: addressesOf(values.ipv4),
    now: secondsOf(values.now),
    issuer: values.issuer,
    licence_key: values['licence-key'],
    ...(values.revocations && { revocations: await readFile(values.revocations, 'utf8') }),
  })
  const { verdict, why } = judgement
  process.stdout.write(
    values.json ? `${JSON.stringify(judgement)}\n` : `${verdict.replace('_', ' ')}: ${why}\n`,
  )
  return endings[verdict]
}

/** @param {string} given */
function addressesOf(given) {
  if (given === 'any') return 'any'
  if (given !== 'own') return [given]
  return Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
}

/** @param {string | undefined} given */
function secondsOf(given) {
  const seconds = given === undefined ? Date.now() / 1000 : Date.parse(given) / 1000
  if (Number.isNaN(seconds)) throw new Error(`'${given}' is no time. Write it like 2026-12-24T18:00:00Z.`)
  return seconds
}
