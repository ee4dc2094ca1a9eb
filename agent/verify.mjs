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
  --ipv4 ADDRESS        the address the licence must be for; 'own' is any of this machine's, also its IPv6;
                        'any' skips the check
  --ipv6 ADDRESS        the same by IPv6. Where both are given, one that fits is enough
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
      ipv6: text,
      'licence-key': text,
      issuer: text,
      now: text,
      json: yes,
      help: yes,
    },
  })
  const [file, ...more] = positionals
  const isNamed = values.ipv4 !== undefined || values.ipv6 !== undefined
  if (values.help || file === undefined || more.length > 0 || !values.keys || !isNamed) {
    process.stderr.write(help)
    return values.help ? 0 : UNANSWERED
  }
  const document = await readFile(file, 'utf8')
  const keys = await readKeys(values.keys, { cache: values.cache, kid: keyIdOf(document) })
  const judgement = judgeLicence(document, {
    keys,
    ...addressesIn(values),
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

/** @param {{ ipv4?: string | undefined, ipv6?: string | undefined }} given */
function addressesIn({ ipv4, ipv6 }) {
  if (ipv4 === 'any' || ipv6 === 'any') return {}
  if (ipv4 === 'own' || ipv6 === 'own') return { ipv4: ownAddresses('IPv4'), ipv6: ownAddresses('IPv6') }
  return { ...(ipv4 !== undefined && { ipv4: [ipv4] }), ...(ipv6 !== undefined && { ipv6: [ipv6] }) }
}

/** @param {string} family */
function ownAddresses(family) {
  const all = Object.values(os.networkInterfaces()).flatMap((list) => list ?? [])
  return all.filter((one) => one.family === family).map(({ address }) => address)
}

/** @param {string | undefined} given */
function secondsOf(given) {
  const seconds = given === undefined ? Date.now() / 1000 : Date.parse(given) / 1000
  if (Number.isNaN(seconds)) throw new Error(`'${given}' is no time. Write it like 2026-12-24T18:00:00Z.`)
  return seconds
}
