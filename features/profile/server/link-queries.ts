import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'

/** True for two people of one surname at one street of one ZIP. A person who left one of these empty shares nothing by it. */
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
