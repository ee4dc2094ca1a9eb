import { findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { giveRoles } from '#features/team/server/team.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import { findUser, staffMembers } from '#foundation/server/session/session.ts'
import type { Answer } from './answer.ts'
import { resetFactorOf } from './customers.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { readRoles } from './roles.ts'
import { withApp } from './with-app.ts'
import { withCustomer } from './with-customer.ts'

/** `staff list`. */
export async function listMembers(surroundings: CommandEnvironment): Promise<Answer> {
  return await withApp(surroundings, async (app) => {
    const members = (await staffMembers(app.db)).map(({ email, staff_roles, last_seen_at }) => ({
      email,
      roles: staff_roles,
      last_seen_at: last_seen_at?.toISOString() ?? null,
    }))
    const lines = members.map(
      ({ email, roles: held, last_seen_at }) =>
        `${email}: ${held.join(', ')}${last_seen_at === null ? '' : `, last seen ${last_seen_at}`}`,
    )
    return { lines: lines.length > 0 ? lines : ['Nobody is staff.'], data: { members } }
  })
}

/** `staff role EMAIL ROLES`, and `staff revoke EMAIL`, which gives no roles. Throws NotFound if nobody has proven the address (rule 36). */
export async function giveRolesBy(
  surroundings: CommandEnvironment,
  [email = '', wanted = '']: readonly string[],
  { reason }: Options,
): Promise<Answer> {
  const given = wanted === '' ? [] : readRoles(wanted)
  return await withApp(surroundings, async (app) => {
    const account = await findAccountByProvenEmail(app.db, canonicalEmail(email.trim()) ?? '')
    if (!account) throw new NotFound(`No account has confirmed the address '${email}'. Nothing was changed.`)
    const change = {
      user_id: account.user_id,
      roles: given,
      reason: typeof reason === 'string' ? reason : 'from the command line',
      by: 'command line',
    }
    const held = await transaction(app, 'system', (tx) => giveRoles(app, tx, change)).catch(explain)
    const line = held.length > 0 ? `${email} is ${held.join(', ')} now.` : `${email} is not staff any more.`
    return { lines: [line], data: { email, roles: held } }
  })
}

/** `staff reset-2fa EMAIL [--now]`: like `customer reset-2fa`. Throws NotFound for an account that is not staff. */
export const resetMember = (
  surroundings: CommandEnvironment,
  [email = '']: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, [email], options, async (app, act) => {
    const account = await findUser(app.db, act.user_id)
    if (!account?.is_staff || !account.is_active)
      throw new NotFound(`${email} is not staff; 'customer reset-2fa' is for customers. Nothing was changed.`)
    return resetFactorOf(app, act, options)
  })

function explain(error: unknown): never {
  const isLast = error instanceof HttpError && error.errors.some(({ code }) => code === 'last_owner')
  throw isLast ? new Refused('There must be at least one owner. Make someone else an owner first.') : error
}
