import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Account } from './accounts.ts'

/** Makes every proof of somebody's sessions `age_s` older, as if that time had passed. */
export async function ageProofs(app: App, { user_id }: Account, age_s = 301): Promise<void> {
  await transaction(app, 'system', (tx) =>
    sql`update sessions set methods = (
          select coalesce(jsonb_agg(m || jsonb_build_object('at', (m->>'at')::float8 - ${age_s}::float8)), '[]')
          from jsonb_array_elements(methods) as m)
        where user_id = ${user_id}`.execute(tx),
  )
}
