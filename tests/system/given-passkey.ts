import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Person } from './people.ts'

/** Gives a person a passkey. Returns its id. */
export const givePasskey = (app: App, { user_id }: Person): Promise<number> =>
  transaction(app, 'system', async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into passkeys (user_id, name, credential_id, public_key, counter, is_passwordless)
      values (${user_id}, 'key', 'credential', ${Buffer.from('x')}, 0, true) returning id`.execute(tx)
    return must(rows[0]).id
  })
