import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Sealed = { iban_sealed: string; address_sealed: string | null }
type NewAccount = Sealed & { id: string; user_id: string; holder: string; iban_end: string }

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto('payout_accounts').values(account).execute()
}

export async function accountWithId(
  db: App['db'],
  id: string,
): Promise<Pick<NewAccount, 'iban_sealed' | 'holder' | 'iban_end'> | undefined> {
  return db
    .selectFrom('payout_accounts')
    .select(['iban_sealed', 'holder', 'iban_end'])
    .where('id', '=', id)
    .executeTakeFirst()
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

/** Returns the refunds to the source of a customer that are under way, by their public ids. */
export async function refundsUnderWay(tx: Tx, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from payouts
    where user_id = ${user_id} and state = 'requested' and account_id is null order by id`.execute(tx)
  return rows.map(({ public_id }) => public_id)
}

/** The sealed address of a deleted account: beside a bank account, or without one at the refund to the source with this public id. */
export type WithAddress = { account_id: string | null; public_id: string; address_sealed: string | null }

/** Returns the newest address that is kept of a deleted account; undefined if there is none. */
export async function keptAddress(tx: Tx, user_id: string): Promise<WithAddress | undefined> {
  const { rows } = await sql<WithAddress>`
    select id as account_id, '' as public_id, address_sealed, created_at from payout_accounts
    where user_id = ${user_id} and address_sealed is not null
    union all select null, public_id, address_sealed, created_at from payouts
    where user_id = ${user_id} and address_sealed is not null
    order by created_at desc, account_id limit 1`.execute(tx)
  return rows[0]
}

export async function setAddress(tx: Tx, id: string, address_sealed: string): Promise<void> {
  await tx.updateTable('payout_accounts').set({ address_sealed }).where('id', '=', id).execute()
}

/** Keeps an address at a refund to the source; null erases it. */
export async function setRefundAddress(
  tx: Tx,
  public_id: string,
  address_sealed: string | null,
): Promise<void> {
  await tx.updateTable('payouts').set({ address_sealed }).where('public_id', '=', public_id).execute()
}

/** Returns refunds whose address another key than `boxId` sealed; their rows are locked. */
export async function refundsSealedByOtherKeys(
  tx: Tx,
  boxId: string,
  limit: number,
): Promise<{ public_id: string; address_sealed: string }[]> {
  const { rows } = await sql<{ public_id: string; address_sealed: string }>`
    select public_id, address_sealed from payouts
    where address_sealed is not null and address_sealed not like ${`${boxId}.%`}
    order by id limit ${limit} for no key update`.execute(tx)
  return rows
}

/** Erases the addresses of refunds that ended more than `days` days ago. */
export async function eraseRefundAddresses(tx: Tx, days: number): Promise<void> {
  await sql`update payouts set address_sealed = null
    where address_sealed is not null and ended_at < now() - ${days} * interval '1 day'`.execute(tx)
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
