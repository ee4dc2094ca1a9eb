export { addRoles, giveRoles } from './give-roles.ts'
export { invite } from './invite.ts'

import { mayDo } from '#foundation/roles.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/team/contract.ts'

/** Answers `GET /api/staff/me/`. */
export const me = handler(contract.getStaffMe, async ({ app, actor }) => {
  const { staff_roles, factor } = actor
  const permissions = app.permissions.filter((one) => mayDo(staff_roles, one)).map(({ name }) => name)
  const two_factor = factor === 'missing' || factor === 'stale' ? factor : 'ok'
  return { status: 200, body: { roles: staff_roles, permissions, two_factor } }
})
