import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { maySignIn } from '#foundation/server/session/access-queries.ts'
import type { AuthenticationMethod, Factor } from '#foundation/session-contract.ts'

export type PendingRow = {
  user_id: string | null
  stage: 'none' | 'verify_email' | 'mfa_authenticate'
  email: string | null
  methods: AuthenticationMethod[]
  scratch: Record<string, unknown>
  factors: Factor[]
}

/** A half-finished login; its stage is `none` once its time is over or its user is not active (any more). */
export async function pendingByToken(app: App, tokenHash: Buffer): Promise<PendingRow | undefined> {
  const result =
    await sql<PendingRow>`select p.user_id, p.email, p.methods, p.scratch, coalesce(u.factors, '{}') as factors,
      case when p.stage_at > now() - make_interval(secs => ${app.lifetimes.login_stage_s})
        and (p.user_id is null or ${maySignIn}) then p.stage else 'none' end as stage
    from pending_logins p left join users u on u.id = p.user_id
    where p.token_hash = ${tokenHash} and p.written_at > now() - make_interval(secs => ${app.lifetimes.session_s})`.execute(
      app.db,
    )
  return result.rows[0]
}

export type NewPending = {
  token_hash: Buffer
  user_id: string | null
  stage: PendingRow['stage']
  email: string | null
  methods: AuthenticationMethod[]
  scratch: Record<string, unknown>
}

/** Starts a half-finished login, or starts over the one whose token was sent along. */
export async function putPending(tx: Tx, { methods, scratch, ...row }: NewPending): Promise<void> {
  const values = { ...row, methods: JSON.stringify(methods), scratch: JSON.stringify(scratch) }
  await tx
    .insertInto('pending_logins')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('token_hash').doUpdateSet({ ...values, stage_at: sql`now()`, written_at: sql`now()` }),
    )
    .execute()
}

/** Keeps values for the next step of a half-finished login. The stage and its deadline stay as they are. */
export async function savePendingStepState(
  tx: Tx,
  tokenHash: Buffer,
  scratch: Record<string, unknown>,
): Promise<void> {
  await tx
    .updateTable('pending_logins')
    .set({ scratch: sql`scratch || ${JSON.stringify(scratch)}::jsonb`, written_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Deletes a half-finished login; false if another request was faster. */
export async function consumePending(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const result = await tx.deleteFrom('pending_logins').where('token_hash', '=', tokenHash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Drops the half-finished logins of a user. */
export async function deletePendingOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('pending_logins').where('user_id', '=', userId).execute()
}

/** Removes half-finished logins past their time; run by a job. */
export async function sweepPending(app: App, tx: Tx): Promise<void> {
  const before = sql<Date>`now() - make_interval(secs => ${app.lifetimes.session_s})`
  await tx.deleteFrom('pending_logins').where('written_at', '<', before).execute()
}
