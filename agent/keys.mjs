import { readFile, stat } from 'node:fs/promises'
import { ask, secureUrl } from './ask.mjs'
import { keepFile } from './keep-file.mjs'

/** @typedef {import('./judge.mjs').Key} Key */

// A key may be withdrawn without notice to this machine: kept keys are asked for again after a day.
const LONGEST_KEPT_MS = 86_400_000

/**
 * The operator's public keys, from a file or an address. With `cache`, what an address sent is kept there, and it is asked
 * again for a key that the kept ones lack, for one that is `withdrawn` and is among them, and once a day. Where nobody
 * answers, the kept ones do, but for those that are withdrawn.
 * @param {string} source
 * @param {{
 *   cache?: string | undefined, kid?: string | undefined, withdrawn?: readonly string[],
 *   signal?: AbortSignal | undefined,
 * }} [options]
 * @returns {Promise<Key[]>}
 */
export async function readKeys(source, { cache, kid, withdrawn = [], signal } = {}) {
  if (!/^https?:/.test(source)) return parseKeys(await readFile(source, 'utf8'))
  const kept = cache === undefined ? undefined : await readKept(cache)
  const stands = (/** @type {Key} */ key) => !key.withdrawn && withdrawn.includes(key.kid ?? '')
  if (kept?.isFresh && kept.keys.some((key) => key.kid === kid) && !kept.keys.some(stands)) return kept.keys
  try {
    const { status, text } = await ask(secureUrl(source), { signal })
    if (status !== 200) throw new Error(`${source} answered ${status}.`)
    const keys = parseKeys(text)
    if (cache !== undefined) await keepFile(cache, text)
    return keys
  } catch (error) {
    if (!kept?.keys.some((key) => key.kid === kid)) throw error
    return kept.keys.filter((key) => !stands(key))
  }
}

/**
 * A JSON Web Key Set, with the names of keys that were withdrawn beside the keys (RFC 7517 5 lets a set hold more).
 * @param {string} text
 * @returns {Key[]}
 */
function parseKeys(text) {
  const set = /** @type {unknown} */ (JSON.parse(text))
  const { keys: listed, withdrawn: gone } = Object.fromEntries(Object.entries(set ?? {}))
  if (!Array.isArray(listed)) throw new Error('There are no keys in it: it should be a JSON Web Key Set.')
  const withdrawn = Array.isArray(gone) ? gone.filter((kid) => typeof kid === 'string') : []
  const keys = listed.filter(isKey)
  return [
    ...keys.filter(({ kid }) => kid === undefined || !withdrawn.includes(kid)),
    ...withdrawn.map((kid) => ({ kid, withdrawn: true })),
  ]
}

/** @param {unknown} key @returns {key is Key} */
const isKey = (key) => typeof key === 'object' && key !== null

/** @param {string} file */
async function readKept(file) {
  try {
    const { mtimeMs } = await stat(file)
    const isFresh = Math.abs(Date.now() - mtimeMs) < LONGEST_KEPT_MS
    return { keys: parseKeys(await readFile(file, 'utf8')), isFresh }
  } catch {
    return undefined
  }
}
