import { setTimeout as sleep } from 'node:timers/promises'
import { TryLater } from '#foundation/server/operator-errors.ts'

/** Rule 50: how long a start waits for something, and to whom it reports the wait. */
export type Waiting = {
  /** Gives up after this long, with one line. */
  limit_s?: number
  /** Called with a line every `word_s` seconds. */
  say?: (line: string) => void
  word_s?: number
}

const LIMIT_S = 600
const WORD_S = 10
const TRY_MS = 200

/**
 * Calls `tryIt` until it returns true. Reports a wait of more than 2 s, and again every 10 s; throws TryLater with one line
 * after the limit. `reason` says what the caller waits for: 'another process migrates the database'.
 */
export async function waitFor(
  reason: string,
  waiting: Waiting,
  tryIt: () => Promise<boolean>,
): Promise<void> {
  const wait = beginWaiting(waiting)
  while (!(await tryIt())) {
    wait(reason)
    await sleep(TRY_MS)
  }
}

/** Waits for work that ends by itself, and throws its error. Reports the wait as `waitFor` does; gives up after the same limit. */
export async function watch(work: Promise<unknown>, reason: string, waiting: Waiting): Promise<void> {
  const wait = beginWaiting(waiting)
  const done = work.then(() => true)
  // The work may fail when nobody waits for it any more.
  done.catch(() => {})
  while (!(await Promise.race([done, sleep(TRY_MS, false)]))) wait(reason)
}

/** Returns a function for callers that try by themselves: they call it each time they go on waiting, with the present reason. */
export function beginWaiting(waiting: Waiting): (reason: string) => void {
  const { limit_s = LIMIT_S, word_s = WORD_S, say = sayOnTerminal } = waiting
  const started = performance.now()
  let nextWord_s = Math.min(2, word_s)
  return (reason) => {
    const waited_s = (performance.now() - started) / 1000
    if (waited_s >= limit_s)
      throw new TryLater([
        `Gave up after ${Math.round(waited_s)} s: ${reason}. Start again when that has ended.`,
      ])
    if (waited_s < nextWord_s) return
    say(`waiting for ${Math.round(waited_s)} s now: ${reason}`)
    nextWord_s += word_s
  }
}

function sayOnTerminal(line: string): void {
  process.stderr.write(`hostdesk: ${line}\n`)
}
