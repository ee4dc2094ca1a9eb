import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import {
  updateUser,
  lockUser,
  removeUnusedAccounts,
  signedInBefore,
} from '#foundation/server/session/session.ts'
import { addressChanged, PROFILE_CHANGED } from '#features/profile/contract.ts'
import * as queries from './claim-queries.ts'
import { eraseAccount } from './erase-account.ts'
import { removeAddress, type Address } from './queries.ts'
import { sweepVainSignups } from './vain-queries.ts'

// An unproven claim to an address has no effect (rule 37). If EMAIL_VERIFICATION allows sign-in without a proof, an account that has been
// signed in to is kept, but its address still goes to the account that proves it.

/**
 * The account whose password may be tried for an address: the one that has proven it, else one that is used
 * without a proof, else the newest sign-up. For signing in and signing up only, where the password decides;
 * rights and money go by `findAccountByProvenEmail` alone (rule 36).
 */
export async function accountToSignIn(db: App['db'], email: string): Promise<Address | undefined> {
  const proven = await queries.findAccountByProvenEmail(db, email)
  if (proven) return proven
  const { used, unused } = await unprovenAccounts(db, email)
  return used[0] ?? unused[0]
}

/** The account in use under this address without a proof: where no proof is mandatory, or an account that has paid (`held`). */
export async function accountInUse(db: App['db'], email: string): Promise<Address | undefined> {
  if (await queries.findAccountByProvenEmail(db, email)) return undefined
  return (await unprovenAccounts(db, email)).used[0]
}

async function unprovenAccounts(db: App['db'], email: string) {
  const claims = (await queries.claimsTo(db, email)).filter((claim) => claim.is_primary)
  const before = await signedInBefore(
    db,
    claims.map(({ user_id }) => user_id),
  )
  return {
    used: claims.filter(({ user_id, held }) => held || before.has(user_id)),
    unused: claims.filter(({ user_id, held }) => !held && !before.has(user_id)),
  }
}

/**
 * Ends all unproven claims to an address, except that of the account `user_id`, which has proven it. Throws 400 `email_taken` at `key` where
 * another account has paid: nobody else proves its address, or what was paid would be lost to its buyer.
 */
export async function claimAddress(app: App, tx: Tx, email: string, user_id: string): Promise<void> {
  const claims = (await queries.claimsTo(tx, email)).filter((claim) => claim.user_id !== user_id)
  if (claims.some(({ held }) => held)) throw badRequest('email_taken', 'key')
  for (const claim of claims) await dropClaim(app, tx, claim)
}

/** Ends the sign-ups with an address that nobody confirmed, before an account with it that has paid. The caller has locked the address. */
export async function dropUnusedClaims(app: App, tx: Tx, email: string): Promise<void> {
  const { unused } = await unprovenAccounts(tx, email)
  for (const claim of unused) await dropClaim(app, tx, claim)
}

/** Ends an unproven claim, and deletes the account that was signed up with it, unless somebody has signed in to that account. */
export async function dropClaim(app: App, tx: Tx, claim: Address): Promise<void> {
  const { id, user_id, is_primary } = claim
  await lockUser(tx, user_id)
  if (is_primary && !(await signedInBefore(tx, [user_id])).has(user_id)) {
    await eraseAccount(app, tx, user_id)
    await recordAction(tx, { user_id, act: 'account.never_proven' })
    return
  }
  await removeAddress(tx, id)
  // Mails of an account that lost its only address must not go to the account that has proven it.
  if (is_primary) await updateUser(tx, user_id, { email: `${user_id}@unproven.invalid` })
  await emit(app, tx, addressChanged, { user_id, change: 'removed' })
  await recordAction(tx, { user_id, act: 'address.claim_ended', detail: { address_id: String(id) } })
  await publish(tx, user_id, { type: PROFILE_CHANGED })
}

/** Ends expired claims; run by a job. An account in use keeps its only address. */
export async function sweepClaims(app: App): Promise<void> {
  for (let above = 0n; ;) {
    const batch = await queries.expiredClaims(app, app.db, { above, limit: BATCH })
    const used = await signedInBefore(
      app.db,
      batch.map(({ user_id }) => user_id),
    )
    for (const claim of batch.filter(({ is_primary, user_id }) => !is_primary || !used.has(user_id)))
      await transaction(app, 'system', (tx) => expire(app, tx, claim))
    if (batch.length < BATCH) break
    above = must(batch.at(-1)).id
  }
  await removeUnusedAccounts(app)
  await transaction(app, 'system', (tx) => sweepVainSignups(app, tx))
}

const BATCH = 1000

async function expire(app: App, tx: Tx, { id, email }: Address): Promise<void> {
  await queries.lockAddress(tx, email)
  // The claim may have been proven, renewed or removed since the list was read.
  const [claim] = await queries.expiredClaims(app, tx, { above: id - 1n, limit: 1 })
  if (claim?.id === id) await dropClaim(app, tx, claim)
}
