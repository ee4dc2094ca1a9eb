import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Format, InvoiceKind } from '#features/invoices/rules.ts'

type Db = App['db']

/** Returns the stored bytes of a version, by default the newest; undefined if they were not made. */
export async function documentOf(
  db: Db,
  invoice_id: bigint,
  { format, version }: { format: Format; version?: number | undefined },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('invoice_documents')
    .select('content')
    .where('invoice_id', '=', invoice_id)
    .where('format', '=', format)
    .$if(version !== undefined, (query) => query.where('version', '=', must(version)))
    .orderBy('version', 'desc')
    .executeTakeFirst()
  return row?.content
}

export type Version = { version: number; made_at: Date }

/** The versions that were made, oldest first. */
export async function versionsOf(db: Db, invoice_id: bigint): Promise<Version[]> {
  return db
    .selectFrom('invoice_documents')
    .select(['version', 'made_at'])
    .where('invoice_id', '=', invoice_id)
    .where('format', '=', 'pdf')
    .orderBy('version')
    .execute()
}

/** Stores the documents unless another request was faster: the first ones stored for a version stay. */
export async function keepDocuments(
  tx: Tx,
  { invoice_id, user_id, version }: { invoice_id: bigint; user_id: string; version: number },
  documents: Readonly<Partial<Record<Format, Uint8Array>>>,
): Promise<void> {
  const rows = (['pdf', 'xrechnung'] as const).flatMap((format) => {
    const content = documents[format]
    return content ? [{ invoice_id, user_id, version, format, content: Buffer.from(content) }] : []
  })
  await tx
    .insertInto('invoice_documents')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['invoice_id', 'version', 'format']).doNothing())
    .execute()
}

/** Returns, for the invoices among these (public ids of one customer) that were issued again, the public id of the newest invoice. */
export async function newestInvoices(
  db: Db,
  user_id: string,
  public_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ public_id: string; newest: string }>`
    select i.public_id, n.public_id as newest
    from invoices i cross join lateral (
      select o.public_id, o.version from invoices o
      where o.transaction_id = i.transaction_id and o.kind = 'invoice' and o.user_id = i.user_id
      order by o.version desc limit 1) n
    where i.user_id = ${user_id} and i.public_id = any(${public_ids}::text[]) and n.version > i.version`.execute(
    db,
  )
  return new Map(rows.map(({ public_id, newest }) => [public_id, newest]))
}

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

/** The numbers of a customer's documents, by public id. */
export async function numbersOf(
  db: Db,
  user_id: string,
  public_ids: readonly string[],
): Promise<Map<string, string>> {
  if (public_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('invoices')
    .select(['public_id', 'number'])
    .where('user_id', '=', user_id)
    .where('public_id', 'in', [...public_ids])
    .execute()
  return new Map(rows.map(({ public_id, number }) => [public_id, number]))
}

/** A document with the hashes of its files: none if they were not made yet. */
export type HashedDocument = {
  public_id: string
  number: string
  kind: InvoiceKind
  total: bigint
  issued_at: Date
  files: { format: Format; version: number; sha256: string }[]
}

/** The documents of a customer that were issued in a span, and those of these transactions, in the order of issue. */
export async function documentsWithHashes(
  db: Db,
  user_id: string,
  { since, until, transactions }: { since: Date; until: Date; transactions: readonly string[] },
): Promise<HashedDocument[]> {
  const { rows } = await sql<HashedDocument>`
    with meant as (
      select id from invoices where user_id = ${user_id} and issued_at >= ${since} and issued_at < ${until}
      union select id from invoices where user_id = ${user_id} and transaction_id = any(${transactions}::uuid[]) and issued_at < ${until})
    select i.public_id, i.number, i.kind, i.total, i.issued_at, coalesce((
      select json_agg(json_build_object('format', d.format, 'version', d.version, 'sha256', encode(sha256(d.content), 'hex'))
        order by d.version, d.format)
      from invoice_documents d where d.invoice_id = i.id), '[]') as files
    from meant join invoices i on i.id = meant.id order by i.id`.execute(db)
  return rows
}
