import { fieldNames } from './field-names.ts'
import { moneyFields } from './given-currency.ts'
import type { Access, Route } from '#foundation/contract.ts'
import { isForPeople } from '#foundation/roles.ts'
import { commonErrors } from '#foundation/errors.ts'
import type { ErrorCode } from '#texts/errors.js'

/** The codes by which a call may be refused, by status. */
type PossibleErrors = ReadonlyMap<number, readonly ErrorCode[]>

/**
 * The refusals of a call: those its contract declares, and those that follow from its input and from who may call it. The server and the
 * API document ask this one function, so that neither can forget a status that the other knows.
 */
export function possibleErrors(contract: Route): PossibleErrors {
  let refusals = known.get(contract)
  if (!refusals) known.set(contract, (refusals = derived(contract)))
  return refusals
}

// A contract never changes, and each refusal needs the errors of its route, so they are derived once.
const known = new WeakMap<Route, PossibleErrors>()

function derived(contract: Route): PossibleErrors {
  const refusals = new Map<number, readonly ErrorCode[]>()
  for (const status of statusesOf(contract)) refusals.set(status, codesOf(contract, status))
  for (const [status, codes] of Object.entries(contract.errors ?? {})) {
    const number = Number(status)
    refusals.set(number, [...new Set([...(refusals.get(number) ?? []), ...codes])])
  }
  if (moneyFields(contract.body).length > 0)
    refusals.set(400, [...(refusals.get(400) ?? []), 'wrong_currency'])
  return refusals
}

type Common = keyof typeof commonErrors

function statusesOf({ method, access, style, params, headers }: Route): readonly Common[] {
  const { who } = access
  // The body of every method but GET is read before its contract is consulted, also where the contract takes no body.
  const reads = method !== 'GET'
  const rules: readonly (readonly [Common, boolean])[] = [
    // Every call may answer 400: its address may be one that cannot be read, even if it takes nothing.
    [400, true],
    // The account calls have an answer of their own (U401, auth contract section 2) for people who are not signed in, but none for agents.
    [401, who === 'agent' || who === 'program' || (who !== 'anyone' && style !== 'auth')],
    // Each call refuses either every staff view of an account, or a view that has ended.
    [403, true],
    [404, params !== undefined || isForHelpers(access)],
    [413, reads],
    [415, reads],
    [422, takesKey(headers)],
    [429, true],
    [500, true],
    [503, true],
  ]
  return rules.filter(([, applies]) => applies).map(([status]) => status)
}

const takesKey = (headers: Route['headers']) => fieldNames(headers).includes('idempotency-key')

const isOfStaff = (access: Access) =>
  access.who === 'staff' || access.who === 'member' || access.orStaff !== undefined

/** Calls that helpers may make for the owner of an account. */
export const isForHelpers = (access: Access) => access.who !== 'staff' && typeof access.acts === 'object'

/** Calls of customers that nobody makes for another account. The account calls know no other accounts at all. */
export const isForOneself = ({ access, style }: Pick<Route, 'access' | 'style'>) =>
  access.who !== 'staff' && access.acts === 'own' && style !== 'auth'

const refusesBlocked = (access: Access) => access.who !== 'staff' && access.whileBlocked === 'refused'

function codesOf(contract: Route, status: Common): readonly ErrorCode[] {
  if (status !== 403) return commonErrors[status]
  const { access, style, viewable } = contract
  const { who, proof } = access
  const asStaff = isOfStaff(access)
  const applies = {
    not_allowed: who === 'staff' || who === 'member',
    network_not_allowed: asStaff || (access.who !== 'staff' && access.orRobot === true),
    two_factor_required: asStaff && who !== 'member',
    account_blocked: refusesBlocked(access),
    reauthentication_required: (proof === 'recent' && style !== 'auth') || (asStaff && who !== 'member'),
    read_only_view: !viewable,
    view_ended: viewable === true,
    not_allowed_for_role: isForHelpers(access) || isForOneself(contract),
    session_required: isForOneself(contract) || (access.who === 'staff' && isForPeople(access.permission)),
    second_factor_required: isForHelpers(access),
  }
  return commonErrors[status].filter((code) => applies[code])
}
