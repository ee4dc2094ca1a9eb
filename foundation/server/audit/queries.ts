import type { Tx } from '#foundation/server/database/transaction.ts'

export type Act = { user_id: string | null; act: string; ip?: string; user_agent?: string; detail?: Record<string, unknown> }

export async function insertAct(tx: Tx, { user_id, act, ip, user_agent, detail }: Act): Promise<void> {
  await tx
    .insertInto('audit')
    .values({ user_id, act, ip: ip ?? null, user_agent: user_agent ?? null, detail: JSON.stringify(detail ?? {}) })
    .execute()
}
