import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

// The most invoices that one run erases, so that it stays far below the time limit of a statement. The next run erases the rest.
const AT_ONCE = 1_000

/**
 * Erases the personal data of invoices once the law no longer requires it, and no audit: parties, lines and documents.
 * Number and amounts stay, so that the books have no gap. Triggers refuse to erase anything earlier.
 */
export async function eraseOutdated(tx: Tx): Promise<void> {
  await sql`
    with outdated as materialized (
      select i.id from invoices i join invoice_snapshots s on s.invoice_id = i.id
      where i.keep_until < current_date
        and not is_on_hold(i.issued_at, i.issued_at) order by i.keep_until, i.id limit ${AT_ONCE}),
    documents as (delete from invoice_documents where invoice_id in (select id from outdated)),
    lines as (delete from invoice_lines where invoice_id in (select id from outdated))
    delete from invoice_snapshots where invoice_id in (select id from outdated)`.execute(tx)
}
