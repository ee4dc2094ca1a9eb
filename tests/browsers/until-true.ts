import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_ms = 30_000

/** Tries again and again until `attempt` neither throws nor returns undefined or false, and returns its result. */
export async function untilTrue<Result>(
  what: string,
  attempt: () => Promise<Result>,
): Promise<Exclude<Result, undefined | false>> {
  const deadline = Date.now() + PATIENCE_ms
  let last: unknown
  while (Date.now() < deadline) {
    try {
      const result = await attempt()
      if (result !== undefined && result !== false) return result as Exclude<Result, undefined | false>
    } catch (error) {
      last = error
    }
    await sleep(100)
  }
  throw new Error(`It did not come to this: ${what}`, { cause: last })
}
