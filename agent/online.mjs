import { randomBytes } from 'node:crypto'
import { judge } from './judge.mjs'

/**
 * Asks an installation by licence key, for software that floats or has no agent, in one file beside judge.mjs, for Node 20 and later. The
 * same two functions are there in other languages (libraries/README.md). Both throw where there is no answer.
 *
 * With the operator's `keys`, an answer is `valid` only if a document with their signature answers this very question; without them, HTTPS
 * alone proves it. `fingerprint` tells machines apart: 64 hexadecimal digits that stay the same.
 * @typedef {{
 *   server: string, licence_key: string, keys?: readonly import('./judge.mjs').Key[], fingerprint?: string, boot?: string,
 *   product?: string, hostname?: string, ipv4?: string, ipv6?: string, requires?: readonly string[],
 * }} Question
 *
 * The seat of a floating licence: the seconds count from the answer, so that the clock of this machine does not matter.
 * @typedef {{ until: string, renew_at: string, lasts_s: number, renew_in_s: number }} Lease
 *
 * `code` is `valid`, why not as the installation says it, or, if the proof fails, `unproven` or the reason of `judge`.
 * @typedef {{
 *   valid: boolean, code: string, edition: string | null, entitlements: Readonly<Record<string, unknown>>, lease: Lease | null,
 *   document: string | null,
 * }} Answer
 */

const LONGEST_ms = 10_000

/** Says if the licence counts now; takes a seat of a floating one, or extends it. @param {Question} question @returns {Promise<Answer>} */
export async function check({ server, keys, requires, ...named }) {
  const nonce = randomBytes(16).toString('base64url')
  const answer = answerIn(await send(server, 'validate', { ...named, entitlements: requires, nonce }))
  return answer.valid && keys
    ? proven(answer, { keys, nonce, requires, fingerprint: named.fingerprint, product: named.product })
    : answer
}

/** Gives back the seat; true if the machine held one. @param {Question} question @returns {Promise<boolean>} */
export async function release({ server, licence_key, fingerprint, boot }) {
  return (await send(server, 'release', { licence_key, fingerprint, boot }))['released'] === true
}

/**
 * The time is that of the document, which is as old as the question. @param {Answer} answer
 * @param {{ keys: readonly import('./judge.mjs').Key[], nonce: string, requires: readonly string[] | undefined,
 *   fingerprint: string | undefined, product: string | undefined }} expected
 * @returns {Answer}
 */
function proven(answer, { nonce, ...expected }) {
  const document = answer.document ?? ''
  const { iat, exp, nonce: repeated } = claimsOf(document)
  if (repeated !== nonce || typeof iat !== 'number' || typeof exp !== 'number')
    return { ...answer, valid: false, code: 'unproven', lease: null }
  const { verdict, reason } = judge(document, { ...expected, at: iat })
  if (verdict !== 'valid') return { ...answer, valid: false, code: reason, lease: null }
  const { lease } = answer
  return { ...answer, lease: lease && { ...lease, lasts_s: Math.min(lease.lasts_s, exp - iat) } }
}

/** @param {Record<string, unknown>} told @returns {Answer} */
function answerIn({ valid, code, edition, entitlements, lease, document }) {
  const { until, renew_at, lasts_s, renew_in_s } = fieldsOf(lease)
  return {
    valid: valid === true,
    code: String(code),
    edition: typeof edition === 'string' ? edition : null,
    entitlements: fieldsOf(entitlements),
    lease: lease
      ? {
          until: String(until),
          renew_at: String(renew_at),
          lasts_s: Number(lasts_s),
          renew_in_s: Number(renew_in_s),
        }
      : null,
    document: typeof document === 'string' ? document : null,
  }
}

/** The claims of a document, which `judge` has yet to believe. @param {string} document */
function claimsOf(document) {
  try {
    const text = Buffer.from(document.split('.')[1] ?? '', 'base64url').toString('utf8')
    return fieldsOf(/** @type {unknown} */ (JSON.parse(text)))
  } catch {
    return {}
  }
}

/** @param {unknown} value @returns {Record<string, unknown>} */
const fieldsOf = (value) => Object.fromEntries(Object.entries(value ?? {}))

/** @param {string} server @param {string} path @param {object} body */
async function send(server, path, body) {
  const answer = await fetch(new URL(`/api/licences/${path}/`, server), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LONGEST_ms),
  })
  if (answer.status !== 200) throw new Error(`the installation answered ${answer.status}`)
  return fieldsOf(await answer.json())
}
