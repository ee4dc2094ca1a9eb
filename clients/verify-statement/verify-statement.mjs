#!/usr/bin/env node
// Checks signed statements without a network: node verify-statement.mjs [--keys FILE] [--roots FILE] FILE...
// FILE: statements (JSON, PDF), and invoices that they name. Keys and roots are published at /.well-known/. Node 20 or newer.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { inflateSync } from 'node:zlib'

/** @typedef {{ issuer: string, keys: { kid: string, x: string, withdrawn_at: string | null }[],
 *   months: { month: string, root: string, key: string, signature: string }[] | undefined }} Trust */
/** @typedef {{ issuer: string, account: string, holder: string, month: string, opening: string, closing: string, currency: string,
 *   entries: object[], documents: { number: string, files: { sha256: string }[] }[], previous: { month: string, sha256: string } | null }} Statement */
/** @typedef {{ proof: string[], root: string, signature: { alg: string, key: string, value: string }, statement: Statement }} Signed */

/** RFC 8785: members in the order of their names, no blanks. @param {unknown} value @returns {string} */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`
}

const readSigned = /** @type {(text: string) => Signed} */ (JSON.parse)
const readTrust = /** @type {(text: string) => Trust} */ (JSON.parse)

/** @param {Uint8Array[]} parts */ const sha256 = (...parts) =>
  createHash('sha256').update(Buffer.concat(parts)).digest()

/** @param {boolean} isTrue @param {string} reason @returns {asserts isTrue} */
function need(isTrue, reason) {
  if (!isTrue) throw new Error(reason)
}

/** Returns the key with this name if it signed these bytes. @param {Trust} trust @param {string} kid @param {string} signature @param {Buffer} message */
function signedBy(trust, kid, signature, message) {
  const key = trust.keys.find((one) => one.kid === kid)
  need(key !== undefined, 'the key that signed it is not among the keys')
  const { x, withdrawn_at } = key
  const name = sha256(Buffer.from(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)).toString('base64url')
  need(name === kid, 'the file of the keys is damaged')
  const opened = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  need(/^[0-9a-f]{128}$/.test(signature), 'its signature is damaged')
  need(
    verify(null, message, opened, Buffer.from(signature, 'hex')),
    'it was changed: its signature does not fit',
  )
  return { isWithdrawn: withdrawn_at !== null }
}

/** True if the root of the month is published; the published root is signed, too. @param {Trust} trust @param {string} month @param {string} root */
function isPublished({ months, ...trust }, month, root) {
  const told = months?.find((one) => one.month === month)
  need(!months || told !== undefined, 'its month is not among the roots')
  if (!told) return false
  const message = `hostdesk-statement-root-1\n${canonical({ issuer: trust.issuer, month, root: told.root })}`
  const { isWithdrawn } = signedBy({ ...trust, months }, told.key, told.signature, Buffer.from(message))
  need(!isWithdrawn, 'the root of its month was signed by a withdrawn key')
  need(told.root === root, 'it is not under the root of its month')
  return true
}

/** Checks the JSON of a statement, to the byte. Throws with the reason against it. @param {Buffer} bytes @param {Trust} trust @returns {{ statement: Statement, hash: string, underRoot: boolean }} */
export function checkJson(bytes, trust) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  const signed = readSigned(text)
  need(canonical(signed) === text, 'it was changed: its bytes are not in canonical form')
  const { proof, root, signature, statement, ...more } = signed
  const known = Object.keys(more).length === 0 && Object.keys(signature).length === 3
  need(known && signature.alg === 'Ed25519', 'it was changed: it is no signed statement')
  need(statement.issuer === trust.issuer, `it is of ${statement.issuer}, and the keys are of ${trust.issuer}`)
  const message = Buffer.from(`hostdesk-statement-1\n${canonical({ proof, root, statement })}`)
  const { isWithdrawn } = signedBy(trust, signature.key, signature.value, message)
  const hash = sha256(Buffer.from(canonical(statement)))
  let node = sha256(Buffer.from([0]), hash)
  for (const step of proof) {
    const pair = [node, Buffer.from(step, 'hex')].toSorted((one, other) => one.compare(other))
    node = sha256(Buffer.from([1]), ...pair)
  }
  need(node.toString('hex') === root, 'it does not lead to its root')
  const underRoot = isPublished(trust, statement.month, root)
  need(underRoot || !isWithdrawn, 'its key was withdrawn: only the published roots can prove it (--roots)')
  return { statement, hash: hash.toString('hex'), underRoot }
}

/** Checks a PDF, to the byte, and the statement inside. @param {Buffer} bytes @param {Trust} trust */
export function checkPdf(bytes, trust) {
  const text = bytes.toString('latin1')
  const at = text.lastIndexOf('%hostdesk-statement ')
  const [line, kid = '', value = ''] =
    /^%hostdesk-statement ([\w-]{43}) ([0-9a-f]{128})\n(?=startxref)/.exec(text.slice(at, at + 300)) ?? []
  need(line !== undefined, 'its signature is damaged')
  const head = Buffer.from('hostdesk-statement-pdf-1\n')
  const rest = Buffer.concat([head, bytes.subarray(0, at), bytes.subarray(at + line.length)])
  need(!signedBy(trust, kid, value, rest).isWithdrawn, 'its key was withdrawn: check the JSON instead')
  const file = text.indexOf('/EmbeddedFile\n')
  const begin = text.indexOf('stream\n', file) + 7
  const length = Number(/\/Length (\d+)/.exec(text.slice(file, begin))?.[1])
  return checkJson(inflateSync(bytes.subarray(begin, begin + length)), trust)
}

/** @param {string} name @param {Buffer} bytes @param {Trust} trust @returns {{ name: string, hash: string, checked?: ReturnType<typeof checkJson>, reason: string }} */
function check(name, bytes, trust) {
  const hash = sha256(bytes).toString('hex')
  try {
    const isPdf = bytes.subarray(0, 5).toString() === '%PDF-'
    return { name, hash, checked: isPdf ? checkPdf(bytes, trust) : checkJson(bytes, trust), reason: '' }
  } catch (error) {
    return { name, hash, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Says of a file what is proven. @param {ReturnType<typeof check>} file @param {ReturnType<typeof checkJson>[]} good */
function verdict({ hash, checked, reason }, good) {
  if (!checked) {
    const documents = good.flatMap(({ statement }) => statement.documents)
    const named = documents.find(({ files }) => files.some(({ sha256: one }) => one === hash))
    return named ? `GENUINE: ${named.number}, as a statement names it` : `REFUSED: ${reason}`
  }
  const { account, previous, month, holder, entries, opening, closing, currency } = checked.statement
  const before = good.find(({ statement: one }) => one.account === account && one.month === previous?.month)
  if (before && before.hash !== previous?.sha256) return `REFUSED: it does not follow ${previous?.month}`
  const link = before ? `follows ${previous?.month}` : previous ? `names ${previous.month}` : 'the first'
  const facts = `${month} of ${holder}, ${entries.length} transactions, ${opening} to ${closing} ${currency} (minor units)`
  return `GENUINE: ${facts}; ${link}; root ${checked.underRoot ? 'published' : 'not checked'}`
}

/** @param {string[]} given */
function main(given) {
  /** @param {string} option @param {string} name */
  const told = (option, name) => {
    const at = given.indexOf(option)
    const file = at < 0 ? name : given.splice(at, 2)[1]
    return file && existsSync(file) ? readTrust(readFileSync(file, 'utf8')) : undefined
  }
  const keys = told('--keys', 'statement-keys.json')
  const roots = told('--roots', 'statement-roots.json')
  if (given.length === 0 || !keys) {
    process.stderr.write('Usage: verify-statement.mjs [--keys statement-keys.json] [--roots FILE] FILE...\n')
    return 2
  }
  const trust = { issuer: keys.issuer, keys: keys.keys, months: roots?.months }
  const files = given.map((name) => check(name, readFileSync(name), trust))
  const good = files.flatMap(({ checked }) => checked ?? [])
  const said = files.map((file) => ({ name: file.name, text: verdict(file, good) }))
  for (const { name, text } of said) process.stdout.write(`${name}: ${text}\n`)
  return said.some(({ text }) => text.startsWith('REFUSED')) ? 1 : 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(process.argv.slice(2))
