import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** The last sign-up with an address that an account had proven before. It makes no account; only its password is kept, hashed. */
type VainSignup = { id: bigint; hash: string }

/** The vain sign-up with a proven address, if there was one within a day. */
export async function vainSignupWith(db: App['db'], address_id: bigint): Promise<VainSignup | undefined> {
  return db
    .selectFrom('vain_sign_ups')
    .select(['id', 'hash'])
    .where('address_id', '=', address_id)
    .executeTakeFirst()
}

/** Keeps a sign-up in place of the one before, under a new id: of several sign-ups with an unknown address, the newest counts, too. */
export async function keepVainSignup(tx: Tx, address_id: bigint, hash: string): Promise<bigint> {
  await tx.deleteFrom('vain_sign_ups').where('address_id', '=', address_id).execute()
  const row = await tx
    .insertInto('vain_sign_ups')
    .values({ address_id, hash })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Renews a vain sign-up whose mail was sent again, as `renewClaim` does for a real one. */
export async function renewVainSignup(tx: Tx, id: bigint): Promise<void> {
  await tx
    .updateTable('vain_sign_ups')
    .set({ signed_up_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Removes sign-ups that are as old as a claim that has ended; run by the job that ends claims. */
export async function sweepVainSignups({ lifetimes }: Pick<App, 'lifetimes'>, tx: Tx): Promise<void> {
  const before = sql<Date>`now() - make_interval(secs => ${lifetimes.unproven_claim_s})`
  await tx.deleteFrom('vain_sign_ups').where('signed_up_at', '<', before).execute()
}
