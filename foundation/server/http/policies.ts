import type { Route, Who } from '#foundation/contract.ts'
import type { Permission } from '#foundation/roles.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import { actsOnAccount, namesAccount } from './other-account.ts'

const known: Readonly<Record<Who, true>> = {
  anyone: true,
  pending: true,
  customer: true,
  staff: true,
  member: true,
  agent: true,
  program: true,
}

/**
 * Rule 1: throws for a route without the callers that may use it, for a writing customer route without `whileBlocked`, for a staff route
 * without a permission or the account that it acts on, for a permission without roles and without `ownerOnly`, and for two permissions of one name, of which a page would
 * show only one.
 */
export function assertPolicies(
  contracts: readonly Pick<
    Route,
    'method' | 'path' | 'access' | 'style' | 'fromReplica' | 'viewable' | 'tool' | 'limits' | 'errors'
  >[],
  owned: readonly OwnedThing[],
): void {
  for (const contract of contracts) assertPolicy(contract)
  for (const contract of contracts.filter(actsOnAccount)) assertNamesAccount(contract, owned)
  const byName = new Map<string, Permission>()
  for (const one of contracts.flatMap(permissionsOf)) {
    if ((byName.get(one.name) ?? one) !== one)
      throw new Error(`The permission ${one.name} is declared twice.`)
    byName.set(one.name, one)
    if (one.roles.length === 0 && !one.ownerOnly)
      throw new Error(`Nobody but an owner holds ${one.name}: give it roles, or say ownerOnly.`)
  }
}

/** The permissions that calls need, each once, in the order of the calls. */
export const permissionsIn = (contracts: readonly Pick<Route, 'access'>[]): Permission[] => [
  ...new Set(contracts.flatMap(permissionsOf)),
]

function assertPolicy(route: Partial<Route>): void {
  const { method, path, access, style, fromReplica } = route
  if (!access || !Object.hasOwn(known, access.who))
    throw new Error(`${method} ${path} does not say who may call it.`)
  if (access.who === 'customer' && method !== 'GET' && !access.whileBlocked)
    throw new Error(`${method} ${path} does not say whether a blocked customer may make it: whileBlocked.`)
  if (access.who === 'customer') assertActs(route)
  if (style === 'auth' && access.who !== 'staff' && access.whileBlocked === 'refused')
    throw new Error(`${method} ${path} is an account call, which have no answer for who is blocked.`)
  if (fromReplica && method !== 'GET') throw new Error(`${method} ${path} writes: no replica answers it.`)
  if (route.viewable) assertViewable(route)
  if (route.tool) assertTool(route)
  // A contract that does not compile may still be mounted: Node strips its types.
  if (access.who === 'staff' && !(access as Partial<typeof access>).permission)
    throw new Error(`${method} ${path} is for staff, but names no permission: access: staff(…).`)
  if (style === 'auth' && (access.who === 'staff' || access.who === 'member'))
    throw new Error(`${method} ${path} is for staff, and account calls have no answer for them.`)
}

/**
 * Throws for a customer route that does not say by `acts` what helpers may do, and for a route for helpers that asks for a proof: a helper
 * cannot prove to be the owner. Limits are allowed, because they count the person who calls. The role `read` has each call by which a
 * `full` helper reads, and no other.
 */
function assertActs({ method, path, access }: Partial<Route>): void {
  const acts = access?.who === 'customer' ? access.acts : undefined
  if (acts === undefined) throw new Error(`${method} ${path} does not say whether helpers may make it: acts.`)
  if (acts === 'own') return
  if (access?.proof) throw new Error(`${method} ${path} is not for helpers: it asks for a proof.`)
  if (acts.roles.includes('read') !== (method === 'GET' && acts.roles.includes('full')))
    throw new Error(`${method} ${path} breaks the role read: what full helpers see, and nothing that writes.`)
}

/** Throws for a call of staff that does not say on which account it acts, or cannot refuse the member's own. */
function assertNamesAccount(
  contract: Pick<Route, 'method' | 'path' | 'access' | 'errors'>,
  owned: readonly OwnedThing[],
): void {
  const { method, path, errors } = contract
  if (!namesAccount(contract, owned))
    throw new Error(`${method} ${path} does not say on which account it acts: access: staff(…, 'none').`)
  if (!errors?.[403]?.includes('own_account'))
    throw new Error(`${method} ${path} acts on an account: it must declare 403 own_account.`)
}

/** Throws for a viewable route that does more than read; a call that asks for a proof, or is counted, does more. */
function assertViewable({ method, path, access, limits }: Partial<Route>): void {
  const reads = method === 'GET' && (access?.who === 'customer' || access?.who === 'anyone')
  if (!reads || access.proof || limits)
    throw new Error(`${method} ${path} is not for views: only what customers read, without proof and limits.`)
}

/** Throws for a tool that does at once what a person must confirm, or that reads what only a person may. */
function assertTool({
  method,
  path,
  tool,
  access,
  style,
  requestType,
  responseType,
  replies,
}: Partial<Route>): void {
  const isPlain =
    style !== 'auth' && requestType === undefined && responseType === undefined && !access?.proof
  const isOfAccount = access?.who === 'customer' && typeof access.acts === 'object'
  const waits = isOfAccount || (access?.who === 'staff' && replies !== undefined && 202 in replies)
  if (tool === 'read' && !(method === 'GET' && (isOfAccount || access?.who === 'staff') && isPlain))
    throw new Error(
      `${method} ${path} is no tool that reads: only plain reads of an account or of staff are.`,
    )
  if (tool === 'propose' && (method === 'GET' || !waits || (isOfAccount && !isPlain)))
    throw new Error(`${method} ${path} is no tool that proposes: nobody would have to confirm it.`)
}

function permissionsOf({ access }: Pick<Route, 'access'>): Permission[] {
  if (access.who === 'staff') return [access.permission, ...Object.values(access.kinds ?? {})]
  return access.orStaff ? [access.orStaff] : []
}
