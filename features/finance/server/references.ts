import { randomInt } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { topUpsBefore } from './top-up-queries.ts'

/** The customer whose transfer bears a reference, however it was copied from a statement. */
export async function ownerOfReference(
  db: App['db'],
  given: string,
): Promise<{ user_id: string; reference: string } | undefined> {
  const reference = asWritten(given)
  const [found] = await topUpsBefore(db, { reference }, { before: undefined, limit: 1 })
  return found && { user_id: found.user_id, reference }
}

/** As we made it, however it was copied from a statement: 'hd abcd 1234'. */
export function asWritten(given: string): string {
  const [, letters, digits] =
    /^HD([A-Z]{4})(\d{4})$/.exec(given.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')) ?? []
  return letters && digits ? `HD-${letters}-${digits}` : given
}

// Short, for it is typed into a banking app: letters and digits that are not confused with each other.
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

/** A new reference, which may be taken already. */
export function makeReference(): string {
  const letters = Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `HD-${letters}-${String(randomInt(10_000)).padStart(4, '0')}`
}
