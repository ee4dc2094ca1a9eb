import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'

/** True for two people with the same surname, ZIP and street address. An empty field counts as different from any other. */
export async function shareHome(db: App['db'], one: string, other: string): Promise<boolean> {
  const plain = (column: string) =>
    [sql.ref(`a.${column}`), sql.ref(`b.${column}`)].map(
      (field) => sql`regexp_replace(lower(${field}), '[\\s.,-]+', '', 'g')`,
    )
  const same = ['surname', 'zip', 'address'].map((column) => {
    const [mine, theirs] = plain(column)
    return sql`${mine} = ${theirs} and ${mine} <> ''`
  })
  const { rows } = await sql<{ same: boolean }>`
    select exists (select from profiles a join profiles b on ${sql.join(same, sql` and `)}
      where a.user_id = ${one} and b.user_id = ${other}) as same`.execute(db)
  return rows[0]?.same ?? false
}

/** True for two accounts that paid from one bank account, or got money back to it. */
export async function shareIban(db: App['db'], one: string, other: string): Promise<boolean> {
  const { rows } = await sql<{
    same: boolean
  }>`select share_iban(${one}::uuid, ${other}::uuid) as same`.execute(db)
  return rows[0]?.same ?? false
}
