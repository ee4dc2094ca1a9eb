import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type BillingRow = {
  email: string
  buyer_reference: string
  order_reference: string
  send_pdf: boolean
}

/** The billing details of a customer who never set any. */
const ordinary: BillingRow = { email: '', buyer_reference: '', order_reference: '', send_pdf: true }

export const billingOf = async (db: Db, user_id: string): Promise<BillingRow> =>
  (await billingRows(db, user_id)) ?? ordinary

const billingRows = batched(async (db: Db, user_ids: readonly string[]) => {
  const rows = await db
    .selectFrom('billing_details')
    .select(['user_id', 'email', 'buyer_reference', 'order_reference', 'send_pdf'])
    .where((row) => sql<boolean>`${row.ref('user_id')} = any(${user_ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ user_id, ...row }): [string, BillingRow] => [user_id, row]))
})

export async function writeBilling(
  tx: Tx,
  user_id: string,
  { email, buyer_reference, order_reference, send_pdf }: BillingRow,
): Promise<void> {
  const columns = { email, buyer_reference, order_reference, send_pdf, changed_at: new Date() }
  await tx
    .insertInto('billing_details')
    .values({ user_id, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

export async function eraseBilling(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('billing_details').where('user_id', '=', user_id).execute()
}

/** True for the first caller: an invoice is announced by one mail only. */
export async function claimMail(tx: Tx, invoice: { invoice_id: bigint; user_id: string }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('invoice_mails')
    .values(invoice)
    .onConflict((conflict) => conflict.column('invoice_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
