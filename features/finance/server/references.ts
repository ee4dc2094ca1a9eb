import { randomInt } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { checkDigits, referenceOf } from '#features/finance/rules.ts'
import { countPending, topUpsInOrder, type TopUpRow } from './top-up-queries.ts'

/** Returns the bank transfer, of any customer, that bears a reference, in whatever way the reference was copied from a statement. */
export async function transferWith(db: App['db'], given: string): Promise<TopUpRow | undefined> {
  const reference = referenceOf(given)
  if (reference === undefined) return undefined
  const [found] = await topUpsInOrder(db, { reference, provider: 'bank' }, { limit: 1 })
  return found
}

/** Returns the bank transfers of all customers that have not arrived yet, newest first. */
export const waitingTransfers = (db: App['db'], limit: number): Promise<TopUpRow[]> =>
  topUpsInOrder(db, { status: 'pending', provider: 'bank' }, { limit })

/** Returns the number of bank transfers that customers have announced. */
export const countTransfers = async (db: App['db']): Promise<number> =>
  (await countPending(db)).find(({ provider }) => provider === 'bank')?.count ?? 0

/** Returns the customer whose transfer bears a reference, and the reference as it was made; undefined if there is no such transfer. */
export async function ownerOfReference(
  db: App['db'],
  given: string,
): Promise<{ user_id: string; reference: string } | undefined> {
  const found = await transferWith(db, given)
  return found && { user_id: found.user_id, reference: found.reference ?? '' }
}

// A reference is short, because customers type it into a banking app: letters and digits that are not confused with each other.
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Returns a new reference, which may be taken already: like HD-KXQM-4711, with two check digits at the end. */
export function makeReference(): string {
  const letters = Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const stem = `HD-${letters}-${String(randomInt(10_000)).padStart(4, '0')}`
  return `${stem}-${checkDigits(stem)}`
}
