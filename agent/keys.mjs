import { readFile, stat } from 'node:fs/promises'
import { ask, secureUrl } from './ask.mjs'
import { keepFile } from './keep-file.mjs'
import { publishedText } from './published.mjs'

/** @typedef {import('./judge.mjs').Key} Key */

// A key may be withdrawn without notice to this machine: kept keys are asked for again after a day.
const LONGEST_KEPT_MS = 86_400_000

/**
 * The operator's public keys, from a file or an address. With `cache`, what an address sent is kept there, and it is asked
 * again for a key that the kept ones lack, and once a day. The kept ones do where nobody answers.
 * @param {string} source
 * @param {{ cache?: string | undefined, kid?: string | undefined }} [options]
 * @returns {Promise<Key[]>}
 */
export async function readKeys(source, { cache, kid } = {}) {
  if (!/^https?:/.test(source)) return parseKeys(await readFile(source, 'utf8'))
  const kept = cache === undefined ? undefined : await readKept(cache)
  if (kept?.isFresh && kept.keys.some((key) => key.kid === kid)) return kept.keys
  try {
    const { status, text } = await ask(secureUrl(source))
    if (status !== 200) throw new Error(`${source} answered ${status}.`)
    const keys = parseKeys(text)
    if (cache !== undefined) await keepFile(cache, text)
    return keys
  } catch (error) {
    if (!kept?.keys.some((key) => key.kid === kid)) throw error
    return kept.keys
  }
}

/**
 * Keeps the operator's keys in a file, for the agent, which always runs: fetched at the start, every 15 minutes by its ETag, and at once
 * for a key that the kept ones lack or one that is `withdrawn` and among them. A key that the operator lists no more goes from the file.
 * The kept ones do where nobody answers, but for those that are withdrawn.
 * @param {URL} source
 * @param {string} file
 */
export function keysKeeper(source, file) {
  const published = publishedText(source)

  /** @param {{ kid?: string | undefined, withdrawn?: readonly string[], signal: AbortSignal }} known @returns {Promise<Key[]>} */
  async function keep({ kid, withdrawn = [], signal }) {
    const kept = (await readKept(file))?.keys
    const stands = (/** @type {Key} */ key) => !key.withdrawn && withdrawn.includes(key.kid ?? '')
    const suffices = kept?.some((key) => kid === undefined || key.kid === kid) && !kept.some(stands)
    if (kept && suffices && !published.isDue()) return kept
    try {
      const text = await published.fetch({ isKept: kept !== undefined, signal })
      if (text === undefined && kept) return kept
      const keys = parseKeys(text ?? '')
      await keepFile(file, text ?? '')
      return keys
    } catch (error) {
      if (!suffices && !kept?.some((key) => key.kid === kid)) throw error
      return (kept ?? []).filter((key) => !stands(key))
    }
  }
  return { keep, dueAt_ms: published.dueAt_ms }
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
