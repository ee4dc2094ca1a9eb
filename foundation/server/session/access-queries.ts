import { sql } from 'kysely'
import { isIPv4 } from 'node:net'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { App } from '#foundation/server/app.ts'

/**
 * A `blocked` account may not buy, a `locked` one may not sign in. It is read with the session, so that a change counts at the next call.
 */
export type AccountAccess = 'open' | 'blocked' | 'locked'

/** The condition of a statement over `users u`: the account is not deleted, and not locked. */
export const maySignIn = sql<boolean>`(u.is_active and u.access <> 'locked')`

/** Sets the access of an account, and the text that the customer reads about it. The database refuses every author but `system`. */
export async function setAccess(
  tx: Tx,
  id: string,
  { access, message }: { access: AccountAccess; message: string },
): Promise<void> {
  await tx.updateTable('users').set({ access, access_message: message }).where('id', '=', id).execute()
}

/**
 * How far the session of a member of staff has proven a second factor. `none`: the member has none, and the settings ask for none.
 * `missing`: the member has none, and the settings ask for one. `stale`: the last code or passkey is older than STAFF_PROOF_H. Null for
 * customers, whom it does not concern.
 */
export type FactorState = 'none' | 'missing' | 'proven' | 'stale' | null

/** The state of the second factor, as a column of a statement over `sessions s` and `users u`, so that it needs no statement of its own. */
export const factorStateOf = ({ config: { staff } }: Pick<App, 'config'>) => sql<FactorState>`(case
  when not u.is_staff then null
  when not u.factors && '{totp,webauthn}'::text[] then ${staff.needsTwoFactor ? 'missing' : 'none'}::text
  when exists (select from jsonb_array_elements(s.methods) as m where m->>'method' = 'mfa'
    and (m->>'at')::float8 > extract(epoch from now())::float8 - ${staff.proof_s}::float8) then 'proven'
  else 'stale' end)`

/** True for an address from which staff may work; for every address where STAFF_NETWORKS is not set. */
export function isInStaffNetwork({ config: { staff } }: Pick<App, 'config'>, ip: string): boolean {
  return staff.networks === undefined || staff.networks.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')
}
