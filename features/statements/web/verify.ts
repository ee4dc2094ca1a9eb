import { canonicalJson } from '#foundation/canonical-json.ts'
import type { SignedStatement, StatementBody } from '#features/statements/shapes.ts'
import { bytesOf, fromHex, hexOf, inflated, joined, sha256, subtle, type Bytes } from './bytes.ts'

/** The keys and roots of the installation, as it publishes them. */
export type Trust = {
  issuer: string
  keys: readonly { kid: string; x: string; withdrawn_at: string | null }[]
  months: readonly { month: string; root: string; key: string; signature: string }[]
}

/** A file that is genuine. */
export type Checked = { statement: StatementBody; hash: string }

/** The reasons against a file; each has its text `statements_refused_…`. */
const reasons = [
  'changed',
  'not_signed',
  'other_issuer',
  'unknown_key',
  'withdrawn',
  'no_root',
  'not_under_root',
] as const
export type Reason = (typeof reasons)[number]

class Refused extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

function need(isTrue: boolean, reason: Reason): asserts isTrue {
  if (!isTrue) throw new Refused(reason)
}

/** The SHA-256 of a file, as statements name it. */
export const fingerprintOf = async (bytes: Bytes): Promise<string> => hexOf(await sha256(bytes))

/** False in browsers without Ed25519, which cannot check signatures. */
export async function canVerify(): Promise<boolean> {
  if (!globalThis.isSecureContext) return false
  const x = 'A'.repeat(43)
  return importKey(x).then(
    () => true,
    (error: unknown) => !(error instanceof DOMException && error.name === 'NotSupportedError'),
  )
}

const importKey = (x: string): Promise<CryptoKey> =>
  subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, { name: 'Ed25519' }, false, ['verify'])

/** Refuses a message that the key did not sign; returns whether the key was withdrawn. */
async function signedBy(trust: Trust, kid: string, signature: string, message: Bytes): Promise<boolean> {
  const key = trust.keys.find((one) => one.kid === kid)
  need(key !== undefined, 'unknown_key')
  need(/^[0-9a-f]{128}$/.test(signature), 'changed')
  const isGenuine = await subtle.verify('Ed25519', await importKey(key.x), fromHex(signature), message)
  need(isGenuine, 'changed')
  return key.withdrawn_at !== null
}

/** Checks the JSON of a statement to the byte: its form, signature and way to the published root of its month. */
async function checkJson(bytes: Bytes, trust: Trust): Promise<Checked> {
  const signed = parsed(bytes)
  const { proof, root, signature, statement } = signed
  need(statement.issuer === trust.issuer, 'other_issuer')
  const message = bytesOf(`hostdesk-statement-1\n${canonicalJson({ proof, root, statement })}`)
  const isWithdrawn = await signedBy(trust, signature.key, signature.value, message)
  const hash = await sha256(bytesOf(canonicalJson(statement)))
  let node = await sha256(joined(Uint8Array.of(0), hash))
  for (const step of proof) {
    const pair = [hexOf(node), step].toSorted().map(fromHex)
    node = await sha256(joined(Uint8Array.of(1), ...pair))
  }
  need(hexOf(node) === root, 'changed')
  const told = trust.months.find(({ month }) => month === statement.month)
  need(told !== undefined, isWithdrawn ? 'withdrawn' : 'no_root')
  const about = canonicalJson({ issuer: trust.issuer, month: told.month, root: told.root })
  const isRootWithdrawn = await signedBy(
    trust,
    told.key,
    told.signature,
    bytesOf(`hostdesk-statement-root-1\n${about}`),
  )
  need(!isRootWithdrawn, 'withdrawn')
  need(told.root === root, 'not_under_root')
  return { statement, hash: hexOf(hash) }
}

/** Reads a file whose bytes are the canonical form of a signed statement. */
function parsed(bytes: Bytes): SignedStatement {
  let text = ''
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new Refused('not_signed')
  }
  need(isSigned(value), 'not_signed')
  need(canonicalJson(value) === text && Object.keys(value).length === 4, 'changed')
  // The members of the signature are not signed: their names and the algorithm are the only ones there are.
  const { alg }: { alg: string } = value.signature
  need(alg === 'Ed25519' && Object.keys(value.signature).length === 3, 'changed')
  return value
}

/** True for what has the members of a signed statement. All else in it is told by its signature. */
const isSigned = (value: unknown): value is SignedStatement =>
  has(value, 'proof') &&
  Array.isArray(value.proof) &&
  value.proof.every((step) => typeof step === 'string') &&
  has(value, 'root') &&
  typeof value.root === 'string' &&
  has(value, 'signature') &&
  has(value.signature, 'key') &&
  typeof value.signature.key === 'string' &&
  has(value.signature, 'value') &&
  typeof value.signature.value === 'string' &&
  has(value, 'statement') &&
  typeof value.statement === 'object'

const has = <Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> =>
  typeof value === 'object' && value !== null && name in value

/** Checks a PDF to the byte: the signature in its last lines is about all the rest. Then checks the statement inside. */
async function checkPdf(bytes: Bytes, trust: Trust): Promise<Checked> {
  const text = new TextDecoder('latin1').decode(bytes)
  const at = text.lastIndexOf('%hostdesk-statement ')
  need(at >= 0, 'not_signed')
  const [line, kid = '', value = ''] =
    /^%hostdesk-statement ([\w-]{43}) ([0-9a-f]{128})\n(?=startxref)/.exec(text.slice(at, at + 300)) ?? []
  need(line !== undefined, 'changed')
  const rest = joined(
    bytesOf('hostdesk-statement-pdf-1\n'),
    bytes.slice(0, at),
    bytes.slice(at + line.length),
  )
  need(!(await signedBy(trust, kid, value, rest)), 'withdrawn')
  const file = text.indexOf('/EmbeddedFile\n')
  const begin = text.indexOf('stream\n', file) + 7
  const length = Number(/\/Length (\d+)/.exec(text.slice(file, begin))?.[1])
  return checkJson(await inflated(bytes.slice(begin, begin + length)), trust)
}

/** Checks a file, of whichever kind it is. */
export async function checkFile(bytes: Bytes, trust: Trust): Promise<Checked | { reason: Reason }> {
  const isPdf = new TextDecoder('latin1').decode(bytes.slice(0, 5)) === '%PDF-'
  try {
    return isPdf ? await checkPdf(bytes, trust) : await checkJson(bytes, trust)
  } catch (error) {
    if (error instanceof Refused) return { reason: error.reason }
    throw error
  }
}
