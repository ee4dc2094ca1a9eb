import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type Format = 'pdf' | 'xrechnung'

/** The stored bytes; undefined where they were not made yet. */
export async function documentOf(
  db: App['db'],
  invoice_id: bigint,
  format: Format,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('invoice_documents')
    .select('content')
    .where('invoice_id', '=', invoice_id)
    .where('format', '=', format)
    .executeTakeFirst()
  return row?.content
}

/** Keeps what was made, unless somebody was faster: what is kept first stays. */
export async function keepDocuments(
  tx: Tx,
  { invoice_id, user_id }: { invoice_id: bigint; user_id: string },
  documents: Readonly<Record<Format, Uint8Array>>,
): Promise<void> {
  const rows = (['pdf', 'xrechnung'] as const).map((format) => ({
    invoice_id,
    user_id,
    format,
    content: Buffer.from(documents[format]),
  }))
  await tx
    .insertInto('invoice_documents')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['invoice_id', 'format']).doNothing())
    .execute()
}
