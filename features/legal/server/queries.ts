import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type Acceptance = {
  document: 'terms' | 'begin_now'
  version: string
  context: 'sign_up' | 'order' | 'prompt'
  order_id: string | null
  at: Date
}

/** Returns the acceptance of this version of the terms, or else the latest acceptance of another version. */
export async function acceptedTerms(
  db: App['db'],
  user_id: string,
  version: string | null,
): Promise<{ version: string; at: Date } | undefined> {
  const { rows } = await sql<{ version: string; at: Date }>`
    select version, at from acceptances where user_id = ${user_id} and document = 'terms'
    order by (version = ${version}) is true desc, at desc limit 1`.execute(db)
  return rows[0]
}

/** Returns false if the document was accepted before. */
export async function insertAcceptance(
  tx: Tx,
  accepted: { user_id: string; order_id?: string } & Pick<Acceptance, 'document' | 'version' | 'context'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into acceptances (user_id, document, version, context, order_id)
    values (${accepted.user_id}, ${accepted.document}, ${accepted.version}, ${accepted.context}, ${accepted.order_id ?? null})
    on conflict do nothing returning id`.execute(tx)
  return rows.length > 0
}

/** The acceptances of a customer, newest first. */
export async function acceptancesOf(db: App['db'], user_id: string): Promise<Acceptance[]> {
  const { rows } = await sql<Acceptance>`
    select document, version, context, order_id, at from acceptances where user_id = ${user_id} order by at desc`.execute(
    db,
  )
  return rows
}
