import { mayActAs } from '#foundation/capability.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as queries from './queries.ts'

/**
 * The account that a call acts for: the owner of the host in its path, or the account that it names. Undefined for one's own, and where there is
 * no grant; 403 for a grant that lacks the capability or asks for a second factor.
 */
export const findActing: NonNullable<App['findActing']> = async (
  app,
  { user_id: person_id, factors },
  needed,
  { account, params },
) => {
  const named: unknown = Reflect.get(Object(params), 'hostId')
  const host_id = typeof named === 'string' ? named : null
  if ((host_id === null && account === undefined) || account === person_id) return undefined
  const grant = await queries.grantFor(app.db, person_id, { owner_id: account ?? null, host_id })
  if (!grant) return undefined
  const { owner_id, role, needs_second_factor, all_hosts, month_limit } = grant
  if (!mayActAs(role, needed)) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
  if (needs_second_factor && !hasSecondFactor(factors))
    throw new HttpError(403, [{ code: 'second_factor_required' }])
  const names = await displayNames(app, app.db, [owner_id])
  const act = { owner_id, person_id, roles: needed.roles, host_id }
  return {
    account: names.of(owner_id),
    person_id,
    grant_id: grant.id,
    role,
    all_hosts,
    month_limit,
    async spend(tx, amount) {
      if (!(await queries.addSpending(tx, grant.id, amount)))
        throw new HttpError(402, [{ code: 'helper_limit_reached' }])
      const detail = { grant_id: grant.id, amount: amount.toString(), ...(host_id && { host_id }) }
      await recordAction(tx, { user_id: owner_id, act: 'grant.spent', detail })
    },
    async hold(tx) {
      if (!(await queries.holdGrant(tx, act))) throw notFound()
    },
  }
}

const hasSecondFactor = (factors: readonly string[]): boolean =>
  factors.includes('totp') || factors.includes('webauthn')

/** The grants of all accounts for which a person may do this now. */
export const grantsHeld: NonNullable<App['grantsHeld']> = async (app, { user_id, factors }, needed) => {
  const held = (await queries.grantsTo(app.db, user_id, [])).filter(
    ({ role, needs_second_factor }) =>
      mayActAs(role, needed) && (!needs_second_factor || hasSecondFactor(factors)),
  )
  const names = await displayNames(
    app,
    app.db,
    held.map(({ owner_id }) => owner_id),
  )
  return held.map(({ id, owner_id, role }) => ({ account: names.of(owner_id), grant_id: id, role }))
}
