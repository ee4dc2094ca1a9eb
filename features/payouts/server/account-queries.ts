import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

type NewAccount = { id: string; user_id: string; iban_sealed: string; holder: string; iban_end: string }

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto('payout_accounts').values(account).execute()
}

/** Returns accounts that another key than `boxId` sealed; their rows are locked. */
export async function sealedByOtherKeys(
  tx: Tx,
  boxId: string,
  limit: number,
): Promise<{ id: string; iban_sealed: string }[]> {
  const { rows } = await sql<{ id: string; iban_sealed: string }>`
    select id, iban_sealed from payout_accounts where iban_sealed not like ${`${boxId}.%`}
    order by id limit ${limit} for update`.execute(tx)
  return rows
}

export async function reseal(tx: Tx, id: string, iban_sealed: string): Promise<void> {
  await tx.updateTable('payout_accounts').set({ iban_sealed }).where('id', '=', id).execute()
}

/**
 * Erases accounts that no payout under way needs and none that ended since `days` days, and that are as old themselves: an account that
 * waits for a second person has no payout yet. Returns how many.
 */
export async function eraseOldAccounts(tx: Tx, days: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from payout_accounts where id in (
      select a.id from payout_accounts a
      where a.created_at < now() - ${days} * interval '1 day' and not exists (
        select from payouts p where p.account_id = a.id
          and (p.state = 'requested' or p.ended_at >= now() - ${days} * interval '1 day'))
      order by a.id limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows)
}
