import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type SectionRow = { id: string; slug: string; rank: number; title: Translated; version: number }

export async function sections(db: Db): Promise<SectionRow[]> {
  const { rows } = await sql<SectionRow>`select * from help_sections order by rank, slug`.execute(db)
  return rows
}

export async function insertSection(
  tx: Tx,
  { slug, rank, title }: Pick<SectionRow, 'slug' | 'rank' | 'title'>,
): Promise<SectionRow> {
  const { rows } = await sql<SectionRow>`
    insert into help_sections (slug, rank, title) values (${slug}, ${rank}, ${JSON.stringify(title)}) returning *`.execute(
    tx,
  )
  return must(rows[0])
}

export async function lockSection(tx: Tx, id: string): Promise<SectionRow | undefined> {
  const { rows } = await sql<SectionRow>`select * from help_sections where id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function updateSection(tx: Tx, { id, slug, rank, title }: SectionRow): Promise<SectionRow> {
  const { rows } = await sql<SectionRow>`
    update help_sections set slug = ${slug}, rank = ${rank}, title = ${JSON.stringify(title)} where id = ${id} returning *`.execute(
    tx,
  )
  return must(rows[0])
}

/** Deletes a section unless articles are in it; false if some are. */
export async function deleteSection(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from help_sections s where id = ${id}
      and not exists (select from help_articles a where a.section_id = s.id) returning id`.execute(tx)
  return rows.length > 0
}
