import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type Use = { user_id: string; key: string; request_hash: Buffer }
export type Stored = { request_hash: Buffer; status: number | null; body: unknown }

/** Claims a key. Returns undefined for a new key, else waits for the commit of the call that claimed it and returns its row. */
export async function claimKey(tx: Tx, use: Use): Promise<Stored | undefined> {
  const taken = await tx
    .insertInto('idempotency_keys')
    .values(use)
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('user_id', '=', use.user_id)
    .where('key', '=', use.key)
    .executeTakeFirstOrThrow()
}

export async function storeAnswer(
  tx: Tx,
  { user_id, key }: Omit<Use, 'request_hash'>,
  status: number,
  body: unknown,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, body: JSON.stringify(body ?? null) })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .execute()
}

export async function forgetAnswers(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('user_id', '=', user_id).execute()
}

export async function sweepKeys(tx: Tx, age_s: number): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${age_s})`)
    .execute()
}
