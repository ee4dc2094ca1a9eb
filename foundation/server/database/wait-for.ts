import { setTimeout as sleep } from 'node:timers/promises'
import { TryLater } from '#foundation/server/operator-errors.ts'

/** Rule 50: how long a start waits for something, and whom it tells. */
export type Waiting = {
  /** Gives up after this long, with one line. */
  limit_s?: number
  /** Told each `word_s`. */
  say?: (line: string) => void
  word_s?: number
}

const LIMIT_S = 600
const WORD_S = 10
const TRY_MS = 200

/**
 * Tries until it is true. A wait of more than 2 s is said, and again each 10 s; after the limit it throws TryLater
 * with one line. `reason` says what it waits for: 'another process migrates the database'.
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

/** Waits for work that ends by itself, and fails as it does; says so as `waitFor` does, and gives up after the same limit. */
export async function watch(work: Promise<unknown>, reason: string, waiting: Waiting): Promise<void> {
  const wait = beginWaiting(waiting)
  const done = work.then(() => true)
  // It may fail when nobody waits any more.
  done.catch(() => {})
  while (!(await Promise.race([done, sleep(TRY_MS, false)]))) wait(reason)
}

/** The same for those who try by themselves: called each time that they go on waiting, with the reason of that moment. */
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
