import { ask } from './ask.mjs'

// Software that only reads our files hears of a suspension within 16 minutes: 15, and what a request takes.
const EVERY_MS = 15 * 60_000
// While the operator does not answer, this is asked for no more often.
const AGAIN_MS = 60_000

/**
 * A text that the operator publishes, and when it is to be asked for: every 15 minutes, by its ETag. Caches on the way are told to
 * look whether theirs is still the present one.
 * @param {URL} source
 * @param {number} [longest] in bytes
 */
export function publishedText(source, longest) {
  /** @type {string | undefined} */
  let known
  let [answered_ms, tried_ms] = [-Infinity, -Infinity]
  const dueAt_ms = () => Math.max(answered_ms + EVERY_MS, tried_ms + AGAIN_MS)
  return {
    dueAt_ms,
    isDue: () => performance.now() >= dueAt_ms(),
    /**
     * Answers undefined where it is what `isKept` says was kept.
     * @param {{ isKept: boolean, signal?: AbortSignal | undefined }} options
     */
    async fetch({ isKept, signal }) {
      tried_ms = performance.now()
      const headers = { 'cache-control': 'no-cache', ...(isKept && known && { 'if-none-match': known }) }
      const { status, text, etag } = await ask(source, {
        headers,
        signal,
        ...(longest !== undefined && { longest }),
      })
      if (status !== 200 && status !== 304) throw new Error(`${source.href} answered ${status}.`)
      answered_ms = performance.now()
      if (status === 304) return undefined
      known = etag
      return text
    },
  }
}
