import { readFile } from 'node:fs/promises'
import { ask, secureUrl } from './ask.mjs'
import { keepFile } from './keep-file.mjs'

/** @typedef {import('./licence.mjs').Key} Key */

/**
 * The operator's public keys, from a file or an address. With `cache`, what an address said is kept there, and it is
 * asked again only for a key that the kept ones lack.
 * @param {string} source
 * @param {{ cache?: string | undefined, kid?: string | undefined, signal?: AbortSignal | undefined }} [options]
 * @returns {Promise<Key[]>}
 */
export async function readKeys(source, { cache, kid, signal } = {}) {
  if (!/^https?:/.test(source)) return parseKeys(await readFile(source, 'utf8'))
  const kept = cache === undefined ? undefined : await readKept(cache)
  if (kept?.some((key) => key.kid === kid)) return kept
  const { status, text } = await ask(secureUrl(source), { signal })
  if (status !== 200) throw new Error(`${source} answered ${status}.`)
  const keys = parseKeys(text)
  if (cache !== undefined) await keepFile(cache, text)
  return keys
}

/** @param {string} text @returns {Key[]} */
function parseKeys(text) {
  const set = /** @type {{ keys?: unknown } | null} */ (JSON.parse(text))
  if (!Array.isArray(set?.keys)) throw new Error('There are no keys in it: it should be a JSON Web Key Set.')
  return /** @type {Key[]} */ (set.keys).filter((key) => typeof key === 'object' && key !== null)
}

/** @param {string} file */
async function readKept(file) {
  try {
    return parseKeys(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
