import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

// Run as the owner of the tables, and only by an installation with demo data (see history-queries.ts).

type PaidTransfer = { reference: string; amount: bigint }

/** Returns the last bank transfer that this customer paid. */
export async function lastPaidTransfer(tx: Tx, user_id: string): Promise<PaidTransfer | undefined> {
  const { rows } = await sql<PaidTransfer>`
    select t.reference, t.amount from top_ups t join payment_events p on p.top_up_id = t.id
    where t.user_id = ${user_id} and t.provider = 'bank' and p.kind = 'paid' and p.transaction_id is not null
    order by t.created_at desc limit 1`.execute(tx)
  return rows[0]
}

/** Marks the open bank line with this reference as booked by staff, to the transaction that paid its transfer. */
export async function markBooked(tx: Tx, reference: string): Promise<void> {
  await sql`
    update bank_lines l set state = 'booked', match = 'exact', cause = null, bookings = 1, user_id = t.user_id, top_up = t.public_id,
      transaction_id = p.transaction_id
    from top_ups t join payment_events p on p.top_up_id = t.id and p.kind = 'paid'
    where t.reference = ${reference} and l.text = ${reference} and l.state = 'open'`.execute(tx)
}
