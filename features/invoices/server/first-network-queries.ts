import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Keeps the country of the network from which an account was bought, until somebody signs in to it (decision 147). */
export async function rememberNetwork(tx: Tx, user_id: string, country: string): Promise<void> {
  await sql`insert into first_networks (user_id, country) values (${user_id}, ${country})
    on conflict do nothing`.execute(tx)
}

export async function forgetNetwork(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from first_networks where user_id = ${user_id}`.execute(tx)
}
