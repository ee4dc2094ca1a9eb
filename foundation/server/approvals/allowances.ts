import { decideApprovalsPermission } from '#foundation/approvals.ts'
import { mayDo, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { staffMembers, type Actor } from '#foundation/server/session/session.ts'
import { introducedUntil, introductionsOf } from './bar-queries.ts'
import { barBetween } from './bars.ts'
import { nameOf, type ApprovableAct } from './approvable-act.ts'
import type { Allowances } from './requested-act.ts'
import { usedToday } from './allowance-queries.ts'

/** The allowance of 24 hours is this many times the allowance of one action. */
const DAY = 3n

type Allowance = {
  act: string
  /** The most that one action may move (`single`), and the rest of the allowance of 24 hours (`left_today`), in minor units. */
  single: bigint
  left_today: bigint
}

/** Returns how much somebody with these roles may move alone by one action: the largest allowance of the roles. */
const singleOf = (allowances: Allowances, held: readonly Role[]): bigint =>
  held.reduce((most, role) => (allowances[role] > most ? allowances[role] : most), 0n)

export async function allowanceOf(
  app: App,
  db: App['db'],
  actor: Pick<Actor, 'user_id' | 'staff_roles'>,
  acts: readonly ApprovableAct[],
): Promise<Allowance[]> {
  const used = await usedToday(db, actor.user_id)
  return acts.map((act) => {
    const { allowances } = act
    const name = nameOf(act)
    const single = allowances ? singleOf(allowances(app.config), actor.staff_roles) : 0n
    const left = single * DAY - (used.get(name) ?? 0n)
    return { act: name, single, left_today: left > 0n ? left : 0n }
  })
}

/** Returns the members who may decide this action: by their roles, not the one who asks or the customer, and no bar is between them. */
export async function decidersOf(
  app: App,
  db: App['db'],
  act: ApprovableAct,
  asked: { proposed_by: string; customer_id?: string | null | undefined },
): Promise<Awaited<ReturnType<typeof staffMembers>>> {
  const deciders = []
  for (const one of await holdersOf(db, act, asked))
    if (!(await barBetween(app, db, asked.proposed_by, one.id))) deciders.push(one)
  return deciders
}

/** Returns the members whose roles let them decide this action, without the member who asks for it and without the customer. */
async function holdersOf(
  db: App['db'],
  act: ApprovableAct,
  { proposed_by, customer_id }: { proposed_by: string; customer_id?: string | null | undefined },
): Promise<Awaited<ReturnType<typeof staffMembers>>> {
  const members = await staffMembers(db)
  return members.filter(
    ({ id, staff_roles }) =>
      id !== proposed_by &&
      id !== customer_id &&
      mayDo(staff_roles, decideApprovalsPermission) &&
      mayDo(staff_roles, act.permission),
  )
}

/**
 * True if an action waits for a second member. False if the settings ask for no approvals, or if an owner asks and no other member could
 * decide. Members who are not owners wait even while nobody could decide. Facts in common do not make an owner act alone: they could be made
 * for it. An owner does act alone beside those whom they have just brought in, but nobody does who was just brought in.
 */
export async function mustWait(
  { config }: App,
  db: App['db'],
  asked: { actor: Pick<Actor, 'user_id' | 'staff_roles'>; act: ApprovableAct; customer_id?: string | null },
): Promise<boolean> {
  if (!config.staff.needsApprovals) return false
  const { actor, act, customer_id } = asked
  if (!actor.staff_roles.includes('owner')) return true
  const holders = await holdersOf(db, act, { proposed_by: actor.user_id, customer_id })
  if ((await introductionsOf(db, [actor.user_id])).size > 0) return holders.length > 0
  for (const { id } of holders) if ((await introducedUntil(db, actor.user_id, id)) === null) return true
  return false
}
