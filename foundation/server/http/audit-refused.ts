import type { Route } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { recordRefusedAction } from '#foundation/server/audit/audit.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { logUnavailable } from '#foundation/server/operation/outage-log.ts'
import { count } from '#foundation/server/limits/limits.ts'
import type { Caller } from './caller.ts'
import { HttpError } from './http-error.ts'

/**
 * Records in the audit that somebody called a staff route that they may not call (rule 44): a customer, a former member, or a member who
 * would act on their own account. One row a minute for each call, and 30 for all calls of one account, or a script would fill the table.
 */
export async function auditRefusedAction(
  app: App,
  { method, path }: Route,
  caller: Caller,
  error: unknown,
): Promise<void> {
  if (!(error instanceof HttpError) || error.status !== 403 || !caller.actor) return
  const { user_id } = caller.actor
  try {
    const detail = { method, path }
    if (!(await count(app, app.db, 'refused_act', `${user_id} ${method} ${path}`)).allowed) return
    if ((await count(app, app.db, 'refused_acts', user_id)).allowed)
      await recordRefusedAction(app, caller, { user_id, act: 'staff.refused', detail })
  } catch (fault) {
    // The call is refused all the same, and its caller gets the refusal.
    const { request_id } = caller
    if (isUnavailable(fault)) logUnavailable(app, { request_id }, fault)
    else app.log.warn({ err: fault, request_id }, 'a refused act could not be written down')
  }
}
