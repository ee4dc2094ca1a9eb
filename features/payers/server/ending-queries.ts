import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Side } from '#features/payers/rules.ts'
import type { State } from './queries.ts'

/** Ends an agreement or an offer; the automatic renewal of its servers goes off, unless the owner keeps it. */
export async function endAgreement(
  tx: Tx,
  id: string,
  {
    state,
    side,
    keeps,
  }: { state: Exclude<State, 'offered' | 'active'>; side: Side | 'system'; keeps: boolean },
): Promise<void> {
  await sql`select end_agreement(${id}::uuid, ${state}, ${side}, ${keeps})`.execute(tx)
}

/** Open and active ones of an account, with offers to these addresses. */
export async function openOnesOf(db: App['db'], user_id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from payment_agreements a
    where (a.owner_id = ${user_id}::uuid or a.payer_id = ${user_id}::uuid) and a.state in ('offered', 'active')
    order by a.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Erases the address of a deleted account, and one that it asked, from its agreements. */
export async function eraseEmails(tx: Tx, user_id: string): Promise<void> {
  await sql`update payment_agreements set email = null
    where (owner_id = ${user_id}::uuid or payer_id = ${user_id}::uuid) and email is not null`.execute(tx)
}

/** Open offers that are over end; what was never active goes after 180 days, of the rest the address. */
export async function expireOffers(tx: Tx): Promise<void> {
  await sql`update payment_agreements set state = 'expired', ended_at = now() where state = 'offered' and expires_at <= now()`.execute(
    tx,
  )
  await sql`delete from requested_hosts r using payment_agreements a
    where a.id = r.agreement_id and a.state not in ('offered', 'active')`.execute(tx)
  const old = sql`ended_at < now() - interval '180 days'`
  await sql`delete from payment_agreements where ${old} and accepted_at is null`.execute(tx)
  await sql`update payment_agreements set email = null where ${old} and email is not null`.execute(tx)
}
