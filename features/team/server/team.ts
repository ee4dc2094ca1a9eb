import { bankBookPermission, refundPermission } from '#features/finance/contract.ts'
import { countUnbooked } from '#features/finance/server/finance.ts'
import { countWaitingWithdrawals } from '#features/legal/server/legal.ts'
export { addRoles, giveRoles } from './give-roles.ts'
export { invite, isInvited } from './invite.ts'
export { findRobot, makeToken } from './robot-tokens.ts'
export { endRobot, makeRobot, listRobots } from './robots.ts'

import { decideApprovalsPermission } from '#foundation/approvals.ts'
import { must } from '#foundation/must.ts'
import { isForPeople, mayDo, type Permission } from '#foundation/roles.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { allowanceOf, mustWait } from '#foundation/server/approvals/allowances.ts'
import { nameOf } from '#foundation/server/approvals/approvable-act.ts'
import { countWaiting } from '#foundation/server/approvals/bars.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/team/contract.ts'

/** Answers `GET /api/staff/me/`. */
export const me = handler(contract.getStaffMe, async ({ app, actor }) => {
  const { staff_roles, factor } = actor
  const permissions = app.permissions.filter((one) => mayHold(actor, one)).map(({ name }) => name)
  const two_factor = factor === 'missing' || factor === 'stale' ? factor : 'ok'
  const [allowances, waiting] = await Promise.all([allowancesOf(app, actor), countForMember(app, actor)])
  return { status: 200, body: { roles: staff_roles, permissions, two_factor, allowances, waiting } }
})

const mayHold = ({ staff_roles, is_robot }: Actor, one: Permission) =>
  mayDo(staff_roles, one) && !(is_robot && isForPeople(one))

async function allowancesOf(app: App, actor: Actor) {
  if (!app.config.staff.needsApprovals) return []
  const acts = app.approvable.filter(
    ({ permission, allowances }) => allowances !== undefined && mayDo(actor.staff_roles, permission),
  )
  const { currency } = app.config
  const allowances = await allowanceOf(app, app.db, actor, acts)
  return Promise.all(
    acts.map(async (act, place) => {
      const { act: name, single, left_today } = must(allowances[place])
      const above = (await mustWait(app, app.db, { actor, act })) ? ('waits' as const) : ('alone' as const)
      return {
        act: name,
        single: toMoney(single, currency),
        left_today: toMoney(left_today, currency),
        above,
      }
    }),
  )
}

/** Counts what waits for this member: approvals, refunds after withdrawals, and events of payments that are not booked. */
export async function countForMember(app: App, { user_id, staff_roles }: Actor): Promise<number> {
  const { db, approvable } = app
  const refunds = mayDo(staff_roles, refundPermission) ? await countWaitingWithdrawals(db, user_id) : 0
  const unbooked = mayDo(staff_roles, bankBookPermission) ? await countUnbooked(db) : 0
  const money = refunds + unbooked
  if (!mayDo(staff_roles, decideApprovalsPermission)) return money
  const acts = approvable.filter(({ permission }) => mayDo(staff_roles, permission))
  return money + (await countWaiting(app, db, { user_id, acts: acts.map(nameOf) }))
}
