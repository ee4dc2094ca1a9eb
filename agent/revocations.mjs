import { readFile } from 'node:fs/promises'
import { keepFile } from './keep-file.mjs'
import { readRevocations } from './judge.mjs'
import { publishedText } from './published.mjs'

/** @typedef {import('./judge.mjs').Key} Key */

const LONGEST = 2_000_000

/**
 * Keeps the operator's list of revoked documents in a file: fetched at the start, at once where the operator has a newer one, and every
 * 15 minutes by its ETag. A list that is not genuine, or older than the kept one, is not kept: its sender wants something
 * revoked to count again.
 * @param {URL} source
 * @param {string} file
 */
export function revocationsKeeper(source, file) {
  const published = publishedText(source, LONGEST)

  /**
   * Answers the kept list, if there is one. `newest` is the number that the operator has named; undefined where nothing was heard.
   * @param {{ keys: readonly Key[], newest: number | undefined, signal: AbortSignal }} known
   * @returns {Promise<string | undefined>}
   */
  async function keep({ keys, newest, signal }) {
    const kept = await readFile(file, 'utf8').catch(() => undefined)
    const seq = kept === undefined ? -1 : seqOf(kept, keys)
    if (seq >= (newest ?? -1) && !published.isDue()) return kept
    const text = await published.fetch({ isKept: kept !== undefined, signal })
    if (text === undefined || readRevocations(text, keys).seq < seq) return kept
    await keepFile(file, text)
    return text
  }
  return { keep, dueAt_ms: published.dueAt_ms }
}

/** -1 for a file that is no list: the next one takes its place. @param {string} list @param {readonly Key[]} keys */
function seqOf(list, keys) {
  try {
    return readRevocations(list, keys).seq
  } catch {
    return -1
  }
}
