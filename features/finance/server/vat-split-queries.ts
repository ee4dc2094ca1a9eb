import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
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

/** A document that was booked before VAT had its own accounts. */
type UnsplitDocument = SplitDocument & { id: bigint }

/** Returns the next `limit` of these documents after the number `after`, in the order of their issue. */
export async function unsplitDocuments(
  db: App['db'],
  { after, limit }: { after: bigint; limit: number },
): Promise<UnsplitDocument[]> {
  const { rows } = await sql<UnsplitDocument>`
    select id, public_id, transaction_id, user_id, currency, country, vat from unsplit_documents
    where id > ${after}::bigint order by id limit ${limit}`.execute(db)
  return rows
}

/** A document, and the numbers of the accounts between which its VAT moves. */
type Split = SplitDocument & { revenue: bigint; account: bigint }

/**
 * Moves the VAT of each document from revenue to the account of its country. Documents that another process has split meanwhile stay
 * as they are.
 */
export async function insertSplits(tx: Tx, splits: readonly Split[]): Promise<void> {
  const column = (name: keyof Split) => splits.map((split) => String(split[name]))
  const { rows } = await sql<{ id: string; splits_document: string }>`
    insert into transactions (id, type, user_id, currency, description, splits, splits_document)
    select gen_random_uuid(), 'vat_split', user_id, currency, '{}', transaction_id, public_id
    from unnest(${column('user_id')}::uuid[], ${column('currency')}::text[], ${column('transaction_id')}::uuid[],
      ${column('public_id')}::text[]) as s (user_id, currency, transaction_id, public_id)
    on conflict (splits, splits_document) where splits is not null do nothing
    returning id, splits_document`.execute(tx)
  const made = new Map(rows.map(({ id, splits_document }) => [splits_document, id]))
  const sides = splits.flatMap(({ public_id, currency, vat, revenue, account }) => {
    const id = made.get(public_id)
    if (id === undefined) return []
    return [
      { id, currency, account_id: revenue, amount: -vat },
      { id, currency, account_id: account, amount: vat },
    ]
  })
  const side = (name: keyof (typeof sides)[number]) => sides.map((one) => String(one[name]))
  await sql`
    insert into entries (transaction_id, account_id, currency, amount)
    select * from unnest(${side('id')}::uuid[], ${side('account_id')}::bigint[], ${side('currency')}::text[],
      ${side('amount')}::bigint[])`.execute(tx)
}
