import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Sealed = { iban_sealed: string; address_sealed: string | null }
type NewAccount = Sealed & { id: string; user_id: string; holder: string; iban_end: string }

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto('payout_accounts').values(account).execute()
}

/** Returns accounts that another key than `boxId` sealed; their rows are locked. */
export async function sealedByOtherKeys(
  tx: Tx,
  boxId: string,
  limit: number,
): Promise<(Sealed & { id: string })[]> {
  const { rows } = await sql<Sealed & { id: string }>`
    select id, iban_sealed, address_sealed from payout_accounts
    where iban_sealed not like ${`${boxId}.%`} or address_sealed not like ${`${boxId}.%`}
    order by id limit ${limit} for update`.execute(tx)
  return rows
}

export async function reseal(tx: Tx, id: string, sealed: Sealed): Promise<void> {
  await tx.updateTable('payout_accounts').set(sealed).where('id', '=', id).execute()
}

/** Returns the bank accounts of a customer that payouts under way need. */
export async function accountsUnderWay(tx: Tx, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct account_id as id from payouts
    where user_id = ${user_id} and state = 'requested' and account_id is not null order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns the newest account of a customer with an address of a deleted account; undefined if there is none. */
export async function accountWithAddress(
  tx: Tx,
  user_id: string,
): Promise<{ account_id: string; address_sealed: string } | undefined> {
  const { rows } = await sql<{ account_id: string; address_sealed: string }>`
    select id as account_id, address_sealed from payout_accounts
    where user_id = ${user_id} and address_sealed is not null order by created_at desc, id limit 1`.execute(
    tx,
  )
  return rows[0]
}

export async function setAddress(tx: Tx, id: string, address_sealed: string): Promise<void> {
  await tx.updateTable('payout_accounts').set({ address_sealed }).where('id', '=', id).execute()
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
