import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/**
 * Numbers the invoices as they would have been numbered in their years, also where another invoice or the audit mentions the number.
 * Sets the time at which the VAT of an invoice was decided to the time at which the invoice was issued.
 */
export async function numberInvoices(
  tx: Tx,
  { timeZone, invoicePrefix }: { timeZone: string; invoicePrefix: string },
): Promise<void> {
  const placed = sql`select id, year, row_number() over (partition by year order by id) as place
    from (select id, extract(year from issued_at at time zone ${timeZone})::smallint as year from invoices) as dated`
  await sql`insert into invoice_counters (year, last_number) select year, max(place) from (${placed}) as placed group by year
    on conflict (year) do update set last_number = excluded.last_number`.execute(tx)
  const { rows: before } = await sql<{ id: bigint; number: string }>`select id, number from invoices`.execute(
    tx,
  )
  // Numbers are unique at each moment, so all invoices first get numbers that no invoice will have.
  await sql`update invoices set place = place + 1000000, number = concat('-', id)`.execute(tx)
  await sql`update invoices i set year = placed.year, place = placed.place, keep_until = make_date(placed.year + extract(year from i.keep_until)::integer - i.year, 12, 31),
      number = concat_ws('-', ${invoicePrefix}::text, placed.year, lpad(placed.place::text, 6, '0'))
    from (${placed}) as placed where placed.id = i.id`.execute(tx)
  await sql`delete from invoice_counters c where not exists (select from invoices i where i.year = c.year)`.execute(
    tx,
  )
  await sql`update invoice_snapshots s set
      evidence = case when o.id is null then s.evidence || jsonb_build_object('decided_at', i.issued_at)
        else jsonb_build_object('invoice', o.number) end
        || case when b.id is null then '{}' else jsonb_build_object('replaces', b.number) end,
      notes = (select jsonb_agg(case when note ->> 'code' in ('credit_note_of', 'replaces') then note || jsonb_build_object('params',
          jsonb_build_object('number', named.number, 'date', to_char(named.issued_at at time zone ${timeZone}, 'YYYY-MM-DD'))) else note end
        order by place) from jsonb_array_elements(s.notes) with ordinality as n (note, place))
    from invoices i left join invoices o on o.id = i.credit_note_of
      left join invoices b on i.kind = 'invoice' and b.transaction_id = i.transaction_id and b.kind = 'invoice' and b.version = i.version - 1
      left join invoices named on named.id = coalesce(o.id, b.id)
    where i.id = s.invoice_id`.execute(tx)
  await sql`update invoice_lines l set description = jsonb_set(l.description, '{params,number}', to_jsonb(o.number))
    from invoices i join invoices o on o.id = i.credit_note_of
    where i.id = l.invoice_id and l.description ->> 'code' in ('partial_refund', 'rest_of_invoice')`.execute(
    tx,
  )
  await sql`update audit a set detail = a.detail || (
      select jsonb_object_agg(said.key, i.number) from jsonb_each_text(a.detail) as said
        join unnest(${before.map(({ id }) => String(id))}::bigint[], ${before.map(({ number }) => number)}::text[])
          as was (id, number) on was.number = said.value
        join invoices i on i.id = was.id where said.key in ('invoice', 'credit_note', 'reissued'))
    where a.act = 'invoice.reissued'`.execute(tx)
}

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
