import { sql } from 'kysely'
import type { Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'

export type InvitationRow = {
  id: string
  email: string
  roles: Role[]
  /** Null if the invitation was made on the command line, or the inviter's account is deleted. */
  invited_by: string | null
  created_at: Date
  expires_at: Date
  /** True while it waits for a second owner. */
  waits: boolean
}

const columns = ['id', 'email', 'roles', 'invited_by', 'created_at', 'expires_at', 'waits'] as const

const IN_A_WEEK = sql<Date>`now() + interval '7 days'`

type NewInvitation = { email: string; roles: readonly Role[]; invited_by: string | null }

/**
 * Stores an invitation. Only the last of several invitations for one address is open: the earlier key is void, however many members
 * invite at once. The new invitation gets its key when it is sent.
 */
export async function putInvitation(tx: Tx, invitation: NewInvitation): Promise<InvitationRow> {
  const { email, invited_by } = invitation
  const token_hash = hashToken(randomToken())
  const values = { roles: [...invitation.roles], token_hash, invited_by, expires_at: IN_A_WEEK, waits: true }
  return tx
    .insertInto('invitations')
    .values({ email, ...values })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .doUpdateSet({ ...values, id: sql`gen_random_uuid()`, created_at: sql`now()` }),
    )
    .returning(columns)
    .$narrowType<{ roles: Role[] }>()
    .executeTakeFirstOrThrow()
}

/**
 * Sets another key for an open invitation, also for an expired one; undefined if it is not open any more. `waits` must equal that
 * of the row: only `sendInvitation` (true) sends an invitation that waits for a second owner.
 */
export async function renewInvitation(
  tx: Tx,
  { id, token_hash, waits }: { id: string; token_hash: Buffer; waits: boolean },
): Promise<InvitationRow | undefined> {
  return tx
    .updateTable('invitations')
    .set({ token_hash, expires_at: IN_A_WEEK, waits: false })
    .where('id', '=', id)
    .where('waits', '=', waits)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .$narrowType<{ roles: Role[] }>()
    .executeTakeFirst()
}

/** Withdraws the invitations that are still open, and returns them. */
export async function revokeInvitations(tx: Tx, ids: readonly string[]): Promise<InvitationRow[]> {
  return tx
    .updateTable('invitations')
    .set({ revoked_at: sql`now()` })
    .where((row) => sql<boolean>`${row.ref('id')} = any(${ids}::uuid[])`)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .$narrowType<{ roles: Role[] }>()
    .execute()
}

/** The invitations that are neither accepted nor withdrawn, the newest first. */
export async function openInvitations(db: App['db']): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .$narrowType<{ roles: Role[] }>()
    .execute()
}

export async function invitationById(db: App['db'], id: string): Promise<InvitationRow | undefined> {
  return (await openInvitations(db)).find((one) => one.id === id)
}

/** Returns the invitation of a key; undefined if it is over, has expired, or waits for a second owner. */
export async function invitationByKey(db: App['db'], token_hash: Buffer): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('token_hash', '=', token_hash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('waits', '=', false)
    .$narrowType<{ roles: Role[] }>()
    .executeTakeFirst()
}

/** Uses up a key: only one of many calls at once gets the invitation (rule 17). */
export async function consumeInvitation(
  tx: Tx,
  token_hash: Buffer,
  user_id: string,
): Promise<InvitationRow | undefined> {
  return tx
    .updateTable('invitations')
    .set({ accepted_by: user_id, accepted_at: sql`now()` })
    .where('token_hash', '=', token_hash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('waits', '=', false)
    .returning(columns)
    .$narrowType<{ roles: Role[] }>()
    .executeTakeFirst()
}

/** Deletes the invitations that a deleted account accepted: they name its address. */
export async function deleteAcceptedBy(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('invitations').where('accepted_by', '=', user_id).execute()
}

/** Removes invitations that ended a month ago: they name an address, and the audit has their history. */
export async function sweepInvitations(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where(sql<boolean>`coalesce(accepted_at, revoked_at, expires_at) < now() - interval '30 days'`)
    .execute()
}
