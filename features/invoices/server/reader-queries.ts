import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** A condition on `invoices i`: a document of this account, or of one that was merged into it. */
export const mayRead = (reader_id: string) => sql`(i.user_id = ${reader_id}
  or exists (select from invoice_readers r where r.user_id = i.user_id and r.reader_id = ${reader_id}))`

/** Lets an account read the documents of another one beside its own. They stay with the buyer whom they name. */
export async function letRead(tx: Tx, reader: { user_id: string; reader_id: string }): Promise<void> {
  await tx.insertInto('invoice_readers').values(reader).execute()
}

export async function letReadNoMore(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('invoice_readers').where('user_id', '=', user_id).execute()
}
