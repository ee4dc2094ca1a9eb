import type { App } from '#foundation/server/app.ts'

// By process: each bounds what comes in through itself, and what is kept is judged once more in the database.
const flights = new WeakMap<App, Map<string, number>>()

/** How much of files that somebody is just sending lies on the disk: no row counts these bytes yet (rule 42). */
export const bytesInFlight = (app: App, user_id: string): number => flights.get(app)?.get(user_id) ?? 0

/** Counts the bytes of one file while it comes in, for as long as `receive` runs; `take` answers how many are in flight. */
export async function inFlight<T>(
  app: App,
  user_id: string,
  receive: (take: (bytes: number) => number) => Promise<T>,
): Promise<T> {
  const flying = flights.get(app) ?? new Map<string, number>()
  flights.set(app, flying)
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
