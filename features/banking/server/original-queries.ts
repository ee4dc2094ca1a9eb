import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'

type Db = App['db']

/** A file as the bank sent it: `content` is packed with gzip, `form` is that of its CSV. */
export type Original = {
  sha256: Buffer
  name: string
  content: Buffer
  form: CsvForm | undefined
  kept_by: string | null
}

/** Keeps a file, once in each form. */
export async function keepOriginal(
  tx: Tx,
  { sha256, name, content, form, kept_by }: Original,
): Promise<void> {
  await sql`
    insert into bank_originals (sha256, name, content, form, kept_by)
    values (${sha256}, ${name}, ${content}, ${form ? JSON.stringify(form) : null}::jsonb, ${kept_by})
    on conflict do nothing`.execute(tx)
}

type KeptOriginal = Omit<Original, 'form'> & { id: string; form: CsvForm | null; kept_at: Date }

/** Returns the kept files' ids, oldest first: each file is read alone, since a hundred may be gigabytes. */
export async function originalIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from bank_originals order by kept_at, id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function originalWith(db: Db, id: string): Promise<KeptOriginal | undefined> {
  const { rows } = await sql<KeptOriginal>`
    select id, sha256, name, content, form, kept_by, kept_at from bank_originals where id = ${id}`.execute(db)
  return rows[0]
}
