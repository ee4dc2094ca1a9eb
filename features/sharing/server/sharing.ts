import { mayActAs } from '#foundation/capability.ts'
import type { Acting, Counted, Held } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { limits } from '#features/sharing/limits.ts'
import * as queries from './queries.ts'
import type { Way } from './way-queries.ts'
import * as wayQueries from './way-queries.ts'

export { endGrantsOf } from './received.ts'
export { helpersOfTicket } from './way-queries.ts'
export { endTokenForOperator } from './token-ends.ts'
export { tokensOf } from './token-queries.ts'
export { findProgram } from './tokens.ts'
export { hintOf, isSecret, newSecret } from './secret-form.ts'

type FindActing = NonNullable<App['findActing']>

/**
 * Finds the account that a call acts for: the owner of the host or thing in its path, or the account in its query. Undefined for the caller's
 * own account, and without a grant. Throws 403 if the grants lack the capability or ask for a second factor.
 */
export const findActing: FindActing = async (
  app,
  person,
  needed,
  { account, params, thing },
  db = app.db,
) => {
  const { user_id: person_id, factors } = person
  const named: unknown = Reflect.get(Object(params), 'hostId')
  const host_id = thing ? thing.host_id : typeof named === 'string' ? named : null
  if (!person.holds_grants || (host_id === null && account === undefined) || account === person_id)
    return undefined
  const subject = { host_id, is_ticket: thing !== undefined }
  const ways = await wayQueries.waysFor(db, person_id, { owner_id: account ?? null, ...subject })
  const open = thing ? ways.filter(({ role }) => thing.roles.includes(role)) : ways
  if (open.length === 0) return undefined
  const able = open.filter(({ role }) => mayActAs(role, needed))
  if (able.length === 0) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
  const way = able.find((one) => !one.needs_second_factor || hasSecondFactor(factors))
  if (!way) throw new HttpError(403, [{ code: 'second_factor_required' }])
  const roles = needed.roles.filter((role) => !thing || thing.roles.includes(role))
  const names = await displayNames(app, db, [way.owner_id])
  return { account: names.of(way.owner_id), ...actingBy(way, { person_id, roles, ...subject }) }
}

/** Takes a charge that has failed off the limits that counted it. */
export const uncount: NonNullable<App['uncount']> = async (tx, { grants, amount, at }) => {
  for (const id of grants.toSorted())
    for (const limit of limits) await queries.takeOffSpending(tx, id, limit, { amount, at })
}

type Act = Pick<wayQueries.Act, 'person_id' | 'roles' | 'host_id' | 'is_ticket'>

function actingBy(way: Way, act: Act): Omit<Acting, 'account'> {
  const { owner_id, grant_id, through, role, all_hosts, is_limited } = way
  const { person_id, host_id } = act
  const grants = [grant_id, ...(through === null ? [] : [through])].toSorted()
  // The rows of the grants are updated in one order: otherwise two transactions could wait for each other.
  const count = async (tx: Tx, amount: bigint): Promise<Counted> => {
    for (const id of grants)
      for (const limit of limits)
        if (!(await queries.addSpending(tx, id, limit, amount)))
          throw new HttpError(402, [{ code: 'helper_limit_reached' }])
    return { grants, amount }
  }
  return {
    person_id,
    grant_id,
    through,
    role,
    all_hosts,
    isLimited: is_limited,
    opensTicket: (db, about) => wayQueries.opensTicket(db, grant_id, about),
    count,
    async spend(tx, amount, counted = 0n) {
      if (amount > counted) await count(tx, amount - counted)
      const detail = { grant_id, amount: amount.toString(), ...(host_id !== null && { host_id }) }
      await recordAction(tx, { user_id: owner_id, act: 'grant.spent', detail })
    },
    note: (tx, what, { host_id: about, amount }) =>
      recordAction(tx, {
        user_id: owner_id,
        act: `grant.${what}`,
        detail: { grant_id, ...(about && { host_id: about }), ...(amount && { amount: amount.toString() }) },
      }),
    async hold(tx) {
      if (!(await wayQueries.holdWay(tx, { ...act, owner_id, grant_id, through }))) throw notFound()
    },
  }
}

const hasSecondFactor = (factors: readonly string[]): boolean =>
  factors.includes('totp') || factors.includes('webauthn')

/** Returns, for each account for which a person may do something now, the best grant: the first in the order of `waysFor`. */
export const grantsHeld: NonNullable<App['grantsHeld']> = async (app, person, needed) => {
  const { user_id, factors } = person
  if (!person.holds_grants) return []
  const ways = await wayQueries.waysFor(app.db, user_id, {
    owner_id: null,
    host_id: null,
    is_ticket: false,
  })
  const able = ways.filter(
    ({ role, needs_second_factor }) =>
      mayActAs(role, needed) && (!needs_second_factor || hasSecondFactor(factors)),
  )
  const byOwner = new Map(able.toReversed().map((way) => [way.owner_id, way]))
  const names = await displayNames(app, app.db, [...byOwner.keys()])
  return [...byOwner.values()].map(({ owner_id, grant_id, role, all_hosts }): Held => ({
    account: names.of(owner_id),
    grant_id,
    role,
    all_hosts,
  }))
}
