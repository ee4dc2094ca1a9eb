import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { recordLocked } from '#foundation/server/database/lock-order.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { locks } from '#features/finance/server/finance.ts'
import { agreements, findAgreement, type AgreementRow, type PayerRow, type State } from './queries.ts'

// Rule 9: an act locks the servers, then all of its agreements by one of these functions, then the balances.

/** Returns the payer of a server, and locks the agreement until the transaction ends. The caller has locked the row of the server. */
export const lockPayer = batched(async (tx: Tx, hosts: readonly bigint[]) => {
  return new Map((await lockPayers(tx, hosts)).map((row) => [row.host_id, row]))
})

/**
 * Locks the agreements of these servers until the transaction ends, and returns the payers. The caller has locked the rows of the servers.
 */
export async function lockPayers(tx: Tx, hosts: readonly bigint[]): Promise<PayerRow[]> {
  const { rows } = await sql<PayerRow>`
    select host_id, agreement_id, payer_id, pays, month_limit from lock_payers(${hosts.map(String)}::bigint[])`.execute(
    tx,
  )
  recordLocked(
    tx,
    locks.agreements,
    rows.map(({ agreement_id }) => agreement_id),
  )
  return rows
}

/**
 * Locks an agreement until the transaction ends. A second statement reads it, as the first may have waited while it changed. Lock
 * servers first.
 */
export async function lockAgreement(tx: Tx, id: string): Promise<AgreementRow | undefined> {
  await sql`select from payment_agreements where id = ${id}::uuid for update`.execute(tx)
  recordLocked(tx, locks.agreements, [id])
  return findAgreement(tx, id)
}

/**
 * Locks the agreements that a transfer of a server changes, by one statement: those that pay for it, or wait for consent to pay for it, which
 * are returned, and the one by which somebody pays for all servers of its next owner. The caller has locked the row of the server.
 */
export async function lockAgreementsOfTransfer(tx: Tx, host_id: bigint, to: string): Promise<AgreementRow[]> {
  // No other agreement about all servers of the next owner begins until the end of this transaction.
  await lockBeginnings(tx, to)
  const { rows } = await sql<{ id: string }>`select id from payment_agreements where id in (
      select agreement_id from host_payers where host_id = ${host_id}
      union all select agreement_id from requested_hosts where host_id = ${host_id}
      union all select id from payment_agreements where owner_id = ${to}::uuid and state = 'active' and all_hosts)
    order by id for update`.execute(tx)
  const ids = rows.map(({ id }) => id)
  recordLocked(tx, locks.agreements, ids)
  const { rows: about } = await sql<AgreementRow>`${agreements} where a.id in (
      select agreement_id from host_payers where host_id = ${host_id}
      union all select agreement_id from requested_hosts where host_id = ${host_id}) order by a.id`.execute(
    tx,
  )
  return about
}

const lockBeginnings = (tx: Tx, owner_id: string): Promise<void> => lockByName(tx, `payers of ${owner_id}`)

/** Locks all agreements and offers of an account that is being deleted, in the order of their ids, and returns the ids of the open ones. */
export async function lockAgreementsOf(tx: Tx, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: State }>`select id, state from payment_agreements
    where owner_id = ${user_id}::uuid or payer_id = ${user_id}::uuid order by id for update`.execute(tx)
  recordLocked(
    tx,
    locks.agreements,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id, state }) => (state === 'offered' || state === 'active' ? [id] : []))
}

/**
 * Returns the kind of agreement that stops this person from accepting: `pair` is between the same two, `all` is for all servers of
 * the owner.
 */
export async function clashOf(
  tx: Tx,
  { asked_by, owner_id, payer_id, all_hosts }: AgreementRow,
  user_id: string,
): Promise<'pair' | 'all' | undefined> {
  const [owner, payer] = asked_by === 'owner' ? [owner_id, user_id] : [user_id, payer_id]
  await lockBeginnings(tx, must(owner))
  const { rows } = await sql<{ clash: 'pair' | 'all' }>`
    select case when a.payer_id = ${payer}::uuid then 'pair' else 'all' end as clash
    from payment_agreements a
    where a.owner_id = ${owner}::uuid and a.state = 'active'
      and (a.payer_id = ${payer}::uuid or (a.all_hosts and ${all_hosts})) limit 1`.execute(tx)
  return rows[0]?.clash
}
