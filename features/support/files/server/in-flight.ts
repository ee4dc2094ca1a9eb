import type { App } from '#foundation/server/app.ts'

// The count is per process: each process limits its own incoming bytes, and stored bytes are checked once more in the database.
const flights = new WeakMap<App['pool'], Map<string, number>>()

/** The bytes on the disk of files that a user is still sending: no row counts these yet (rule 42). */
export const bytesInFlight = (app: App, user_id: string): number => flights.get(app.pool)?.get(user_id) ?? 0

/** Counts the incoming bytes of one file while `receive` runs. `take` adds bytes and returns the user's total in flight. */
export async function inFlight<T>(
  app: App,
  user_id: string,
  receive: (take: (bytes: number) => number) => Promise<T>,
): Promise<T> {
  const flying = flights.get(app.pool) ?? new Map<string, number>()
  flights.set(app.pool, flying)
  let taken = 0
  const add = (bytes: number) => {
    const sum = (flying.get(user_id) ?? 0) + bytes
    if (sum > 0) flying.set(user_id, sum)
    else flying.delete(user_id)
    taken += bytes
    return sum
  }
  try {
    return await receive(add)
  } finally {
    add(-taken)
  }
}
