import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { SHARING_CHANGED } from '#features/sharing/contract.ts'
import type { GrantRow } from './queries.ts'
import { peopleOf } from '#features/profile/server/profile.ts'
import { concernedBy, helpersWithAll, ownersPassingTo } from './way-queries.ts'

/**
 * Publishes a change of a grant to the owner, to the helper or whoever has proven the invited address, to the people to whom the helper passes the grant on, and to the owners for
 * whom the helper now acts, or no longer acts, through the owner.
 */
export async function publishToBoth(tx: Tx, grant: GrantRow): Promise<void> {
  const { owner_id, grantee_id, email, may_pass_on } = grant
  if (grantee_id === null) return publishOnce(tx, await peopleOf(tx, { accounts: [owner_id], email }))
  await publishOnce(tx, [owner_id])
  const others = may_pass_on ? await helpersWithAll(tx, grantee_id) : []
  await publishOnce(tx, [grantee_id, ...others, ...(await ownersPassingTo(tx, owner_id))])
}

/** Publishes that an account may act again, or no longer, to everybody whose people or accounts this changes. */
export async function publishToConcerned(tx: Tx, user_id: string): Promise<void> {
  await publishOnce(tx, await concernedBy(tx, user_id))
}

/** The people to whom a transaction publishes: one event is enough for each, as it names no grant, and a deletion ends hundreds. */
const told = new WeakMap<Tx, Set<string>>()

async function publishOnce(tx: Tx, people: readonly string[]): Promise<void> {
  const before = told.get(tx) ?? new Set()
  told.set(tx, before)
  for (const person of people) {
    if (before.has(person)) continue
    before.add(person)
    await publish(tx, person, { type: SHARING_CHANGED })
  }
}
