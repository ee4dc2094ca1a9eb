import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** A document whose VAT is to be moved from revenue to its country's account. `vat` is negative on a credit note. */
export type SplitDocument = {
  public_id: string
  transaction_id: string
  user_id: string
  currency: string
  country: string
  vat: bigint
}

/** A document, and the numbers of the accounts between which its VAT moves. */
type Split = SplitDocument & { revenue: bigint; account: bigint }

/** Moves the VAT of each document from revenue to the account of its country, by a transaction each. A key refuses a second one. */
export async function insertSplits(tx: Tx, splits: readonly Split[]): Promise<void> {
  const heads = splits.map((split) => ({ ...split, id: randomUUID() }))
  const column = (name: keyof (typeof heads)[number]) => heads.map((head) => String(head[name]))
  await sql`
    insert into transactions (id, type, user_id, currency, description, splits, splits_document)
    select id, 'vat_split', user_id, currency, '{}', transaction_id, public_id
    from unnest(${column('id')}::uuid[], ${column('user_id')}::uuid[], ${column('currency')}::text[],
      ${column('transaction_id')}::uuid[], ${column('public_id')}::text[]) as s (id, user_id, currency, transaction_id, public_id)`.execute(
    tx,
  )
  const sides = heads.flatMap(({ id, currency, vat, revenue, account }) => [
    { id, currency, account_id: revenue, amount: -vat },
    { id, currency, account_id: account, amount: vat },
  ])
  const side = (name: keyof (typeof sides)[number]) => sides.map((one) => String(one[name]))
  await sql`
    insert into entries (transaction_id, account_id, currency, amount)
    select * from unnest(${side('id')}::uuid[], ${side('account_id')}::bigint[], ${side('currency')}::text[],
      ${side('amount')}::bigint[])`.execute(tx)
}
