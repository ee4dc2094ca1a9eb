import { readFile } from 'node:fs/promises'
import { ask } from './ask.mjs'
import { keepFile } from './keep-file.mjs'
import { readRevocations } from './judge.mjs'

/** @typedef {import('./judge.mjs').Key} Key */

const EVERY_MS = 15 * 60_000
const LONGEST = 2_000_000

/**
 * Keeps the operator's list of revoked documents in a file: fetched at once where the operator has a newer one, else every 15
 * minutes and by its ETag. A list that is not genuine, or older than the kept one, is not kept: whoever sends it wants something
 * revoked to count again.
 * @param {URL} source
 * @param {string} file
 */
export function revocationsKeeper(source, file) {
  /** @type {{ etag: string | undefined, at_ms: number }} */
  let asked = { etag: undefined, at_ms: -Infinity }

  /**
   * Answers the kept list, if there is one.
   * @param {{ keys: readonly Key[], newest: number, signal: AbortSignal }} known
   * @returns {Promise<string | undefined>}
   */
  return async function keep({ keys, newest, signal }) {
    const kept = await readFile(file, 'utf8').catch(() => undefined)
    const seq = kept === undefined ? -1 : seqOf(kept, keys)
    if (seq >= newest && performance.now() - asked.at_ms < EVERY_MS) return kept
    const headers = kept !== undefined && asked.etag ? { 'if-none-match': asked.etag } : undefined
    const { status, text, etag } = await ask(source, {
      signal,
      longest: LONGEST,
      ...(headers && { headers }),
    })
    if (status !== 200 && status !== 304) throw new Error(`${source.href} answered ${status}.`)
    asked = { etag, at_ms: performance.now() }
    if (status === 304 || readRevocations(text, keys).seq < seq) return kept
    await keepFile(file, text)
    return text
  }
}

/** -1 for a file that is no list: the next one takes its place. @param {string} list @param {readonly Key[]} keys */
function seqOf(list, keys) {
  try {
    return readRevocations(list, keys).seq
  } catch {
    return -1
  }
}
