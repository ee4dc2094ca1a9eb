import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'

type Profile = { id: string; name: string; form: CsvForm }

export async function allProfiles(db: App['db']): Promise<Profile[]> {
  const { rows } =
    await sql<Profile>`select id, name, form from bank_profiles order by lower(name), id`.execute(db)
  return rows
}

export async function profileOf(db: App['db'], id: string): Promise<CsvForm | undefined> {
  const { rows } = await sql<Profile>`select id, name, form from bank_profiles where id = ${id}`.execute(db)
  return rows[0]?.form
}

export async function profileNamed(db: App['db'], name: string | undefined): Promise<CsvForm | undefined> {
  return (await allProfiles(db)).find((profile) => profile.name === name)?.form
}

/** Saves a profile; it replaces a profile of the same name. */
export async function putProfile(
  tx: Tx,
  { name, form, made_by }: Omit<Profile, 'id'> & { made_by: string },
): Promise<Profile> {
  await sql`delete from bank_profiles where name = ${name}`.execute(tx)
  const { rows } = await sql<Profile>`
    insert into bank_profiles (name, form, made_by) values (${name}, ${JSON.stringify(form)}::jsonb, ${made_by})
    returning id, name, form`.execute(tx)
  return must(rows[0])
}
