import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'

/** Returns the network address from which a user signed in last; undefined if no session is left. */
export const lastAddressOf = batched(async (db: App['db'], ids: readonly string[]) => {
  const { rows } = await sql<{ user_id: string; ip: string }>`
    select distinct on (user_id) user_id, host(ip) as ip from sessions
    where user_id = any(${ids}::uuid[]) order by user_id, id desc`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.ip]))
})
