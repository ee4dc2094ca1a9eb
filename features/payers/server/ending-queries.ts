import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Side } from '#features/payers/rules.ts'
import type { State } from './queries.ts'

/** Ends an agreement or an offer; the automatic renewal of its servers is switched off, unless the owner keeps it. */
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

/** Erases the addresses in the agreements of a deleted account: its own, and the addresses that it asked. */
export async function eraseEmails(tx: Tx, user_id: string): Promise<void> {
  await sql`update payment_agreements set email = null
    where (owner_id = ${user_id}::uuid or payer_id = ${user_id}::uuid) and email is not null`.execute(tx)
}

/** Ends expired offers, and returns their ids. */
export async function expireOffers(tx: Tx): Promise<string[]> {
  // An offer that is being answered at this moment is left to the next run, so that this statement never waits.
  const { rows } = await sql<{ id: string }>`
    update payment_agreements set state = 'expired', ended_at = now() where id in (
      select id from payment_agreements where state = 'offered' and expires_at <= now() for update skip locked)
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** 180 days after an end, agreements that were never active are deleted, and the others lose the address. */
export async function forgetEnded(tx: Tx): Promise<void> {
  await sql`delete from requested_hosts r using payment_agreements a
    where a.id = r.agreement_id and a.state not in ('offered', 'active')`.execute(tx)
  const old = sql`ended_at < now() - interval '180 days'`
  await sql`delete from payment_agreements where ${old} and accepted_at is null`.execute(tx)
  await sql`update payment_agreements set email = null where ${old} and email is not null`.execute(tx)
}
