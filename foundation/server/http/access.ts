import type { Access, Route, Who } from '#foundation/contract.ts'
import { isForPeople, mayDo, type Permission, type Role } from '#foundation/roles.ts'
import type { AccountAccess, FactorState } from '#foundation/server/session/session.ts'

/** The facts about a caller that access is judged by. */
export type Known = {
  actor?:
    | { staff_roles: readonly Role[]; factor: FactorState; access: AccountAccess; is_robot?: true }
    | undefined
  pending?: { stage: string } | undefined
  agent?: object | undefined
  /** The caller is a program with a token of an account. */
  program?: object | undefined
  /** The caller is a robot: a member of staff that is no person. It is `actor` at the calls that may take it as staff. */
  robot?: object | undefined
  /** The caller asks to see an account as its customer does: `actor` is that customer, unless the view has ended. */
  view?: 'open' | 'ended' | undefined
  /** The session token that was sent names nothing (any more). */
  gone: boolean
  /** The caller's address is one from which staff may work. */
  in_staff_network: boolean
  /** The actor has proven who they are a short time ago, by a code or a passkey where the account has one (session/proofs.ts). */
  is_recent: boolean
  /** The actor's account has a second factor, and so asks for a code or a passkey. */
  asks_factor: boolean
}

export type Refusal =
  | 'gone'
  | 'not_authenticated'
  | 'not_allowed'
  | 'network_not_allowed'
  | 'two_factor_required'
  | 'account_blocked'
  | 'reauthentication_required'
  /** A proof that only a code or a passkey gives. */
  | 'code_required'
  /** Only somebody who is signed in makes this call, no program. */
  | 'session_required'
  /** A robot is no customer, and so nobody's helper. */
  | 'not_allowed_for_role'
  | 'read_only_view'
  | 'view_ended'

/**
 * The one answer to "may this caller make this call?": the server asks it for each request, the access matrix of the tests
 * for each route and each kind of caller. Each field of `access` has its own judge; the first refusal counts, and undefined
 * lets the caller in. The owner of the rows that a call reads or changes is not decided here but by the statements, which name them.
 */
export function refusalOf(
  route: Pick<Route, 'access' | 'style' | 'viewable'>,
  known: Known,
): Refusal | undefined {
  const { access, style } = route
  if (style === 'auth' && known.gone) return 'gone'
  return (
    refusalByView(route, known) ??
    refusalByWho(route, known) ??
    refusalByBlock(access, known) ??
    refusalByProof(access, known)
  )
}

/** A view allows only calls whose contract is `viewable`. This check comes before all others. */
function refusalByView({ access, viewable }: Pick<Route, 'access' | 'viewable'>, known: Known) {
  if (known.view === undefined) return undefined
  if (!viewable) return 'read_only_view'
  if (known.view === 'open') return undefined
  // After `not_authenticated` the page renews its token and asks again.
  return known.actor || access.who === 'anyone' ? 'view_ended' : 'not_authenticated'
}

function refusalByWho(route: Pick<Route, 'access' | 'style'>, known: Known): Refusal | undefined {
  const { access } = route
  if (known.program) return refusalOfProgram(route)
  if (known.robot) return refusalOfRobot(route, known)
  if (access.who === 'staff')
    return known.actor ? refusalOfStaff(known, access.permission) : 'not_authenticated'
  return judges[access.who](known)
}

/** A program makes the calls that helpers make, and those about its token. The account calls know no programs. */
function refusalOfProgram({ access, style }: Pick<Route, 'access' | 'style'>): Refusal | undefined {
  if (access.who === 'anyone' || access.who === 'program') return undefined
  if (access.who === 'staff' || access.who === 'member') return 'not_allowed'
  if (access.who !== 'customer' || style === 'auth') return 'not_authenticated'
  return access.acts === 'own' && !access.orProgram ? 'session_required' : undefined
}

/** True for the calls that a robot makes as the member that it is. At all others there is nobody. */
export const mayTakeRobots = ({ access }: Pick<Route, 'access'>): boolean =>
  access.who === 'staff' || access.who === 'member' || access.orStaff !== undefined || access.orRobot === true

/** A robot makes the calls of staff, by its roles. It is no customer, and has no session of which the account calls could speak. */
function refusalOfRobot(
  { access, style }: Pick<Route, 'access' | 'style'>,
  known: Known,
): Refusal | undefined {
  if (access.who === 'anyone') return undefined
  if (access.who === 'staff') return refusalOfStaff(known, access.permission)
  if (access.who === 'member') return refusalOfMember(known)
  if (access.orRobot) return refusalOfMember(known)
  const isOfCustomers = access.who === 'customer' && style !== 'auth'
  if (!isOfCustomers) return 'not_authenticated'
  const refusal = access.orStaff ? refusalOfStaff(known, access.orStaff) : 'not_allowed'
  if (refusal !== 'not_allowed') return refusal
  return access.acts === 'own' ? 'session_required' : 'not_allowed_for_role'
}

const judges: Readonly<Record<Exclude<Who, 'staff'>, (known: Known) => Refusal | undefined>> = {
  anyone: () => undefined,
  pending: ({ pending }) => (pending?.stage === 'mfa_authenticate' ? undefined : 'not_authenticated'),
  agent: ({ agent }) => (agent ? undefined : 'not_authenticated'),
  program: () => 'not_authenticated',
  customer: ({ actor }) => (actor ? undefined : 'not_authenticated'),
  member: (known) => (known.actor ? refusalOfMember(known) : 'not_authenticated'),
}

type Judged = Pick<Known, 'actor' | 'in_staff_network'>

function refusalOfMember({ actor, in_staff_network }: Judged): Refusal | undefined {
  if (!actor || actor.staff_roles.length === 0) return 'not_allowed'
  return in_staff_network ? undefined : 'network_not_allowed'
}

/**
 * Returns why a signed-in caller may not act as staff now. The order of the checks reveals nothing to others: a customer does not learn of
 * the networks, and a caller from a wrong network does not learn if a second factor is set up.
 */
export function refusalOfStaff(known: Judged, permission: Permission): Refusal | undefined {
  return (
    refusalOfProvenMember(known) ??
    (mayDo(known.actor?.staff_roles ?? [], permission) ? refusalOfNoPerson(known, permission) : 'not_allowed')
  )
}

/** The attack is a stolen token, or a program that was talked into it, which confirms what it has asked for itself. */
const refusalOfNoPerson = ({ actor }: Judged, permission: Permission): Refusal | undefined =>
  actor?.is_robot && isForPeople(permission) ? 'session_required' : undefined

/** Returns why a member of staff who may make a call may not make it for things of this kind. */
export function refusalOfKind(
  { access }: Pick<Route, 'access'>,
  known: Judged,
  kind: unknown,
): Refusal | undefined {
  const kinds = (access.who === 'staff' && access.kinds) || {}
  const needed = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  return needed && refusalOfStaff(known, needed)
}

function refusalOfProvenMember(known: Judged): Refusal | undefined {
  const factor = known.actor?.factor
  const refusal = refusalOfMember(known)
  if (refusal) return refusal
  if (factor === 'missing') return 'two_factor_required'
  return factor === 'stale' ? 'code_required' : undefined
}

/**
 * True if an admitted caller makes this call as a member of staff, by what its contract says. Handlers read the verdict as `actor.is_staff`
 * and judge nothing themselves (rule 59): at a call that is for customers alone, members of staff are customers.
 */
export function actsAsStaff({ access }: Pick<Route, 'access'>, known: Judged): boolean {
  if (access.who === 'staff') return refusalOfStaff(known, access.permission) === undefined
  if (access.orStaff) return refusalOfStaff(known, access.orStaff) === undefined
  return access.orMember === true && refusalOfProvenMember(known) === undefined
}

/** Blocked accounts only: a locked account has no session, and so does not come here. */
const refusalByBlock = (access: Access, { actor }: Known): Refusal | undefined =>
  actor && actor.access !== 'open' && access.who !== 'staff' && access.whileBlocked === 'refused'
    ? 'account_blocked'
    : undefined

/** A caller without a session has no identity to prove again, and passes this check. */
function refusalByProof({ proof }: Access, known: Known): Refusal | undefined {
  if (proof !== 'recent' || !known.actor || known.is_recent) return undefined
  return known.asks_factor ? 'code_required' : 'reauthentication_required'
}
