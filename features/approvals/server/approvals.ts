import { decideApprovalsPermission } from '#foundation/approvals.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { actByName } from '#foundation/server/approvals/approvable-act.ts'
import { barBetween } from '#foundation/server/approvals/bars.ts'
import * as decisions from '#foundation/server/approvals/decide.ts'
import { approvalsBefore, type Approval } from '#foundation/server/approvals/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { refusalOfStaff } from '#foundation/server/http/access.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { displayNames, mayBeOne } from '#features/profile/server/profile.ts'
import * as contract from '#features/approvals/contract.ts'

/** Answers `GET /api/staff/approvals/`. */
export const list = handler(contract.listApprovals, async ({ app, actor, caller, query }) => {
  const { limit, cursor, status } = query
  const place = placeIn(cursor, [
    (part) => part === 'true' || part === 'false',
    placeKinds.time,
    placeKinds.uuid,
  ])
  const [waiting, at, id] = place ?? []
  const before = waiting && at && id ? ([waiting, at, id] as const) : undefined
  const proposed_by = refusalOfStaff(caller, decideApprovalsPermission) ? actor.user_id : undefined
  const rows = await approvalsBefore(app.db, { status, proposed_by }, { before, limit: limit + 1 })
  const page = pageFrom(rows, limit, placeOf, (row) => row)
  return { status: 200, body: { ...page, items: await approvalReplies(app, page.items, actor) } }
})

const placeOf = ({ status, proposed_at, id }: Approval) => [
  String(status === 'proposed'),
  proposed_at.toISOString(),
  id,
]

/** Answers `POST /api/staff/approvals/{id}/decision/`. */
export const decide = handler(contract.decideApproval, async ({ app, actor, caller, params, body }) => {
  const { decision, note } = body
  const decided = await decisions.decide(app, {
    id: params.id,
    actor,
    caller,
    decision,
    note: note || null,
    assertOther: (tx, customer_id) => assertOther(app, tx, actor, customer_id),
  })
  return { status: 200, body: must((await approvalReplies(app, [decided], actor))[0]) }
})

/** Answers `DELETE /api/staff/approvals/{id}/`. */
export const withdraw = handler(contract.withdrawApproval, async ({ app, actor, caller, params }) => {
  await decisions.withdraw(app, { id: params.id, actor, caller })
  return { status: 204 }
})

/** The attack is a member of staff who confirms an action for their own customer account, or for another account of theirs. */
async function assertOther(app: App, tx: Tx, { user_id }: Actor, customer_id: string): Promise<void> {
  if (await mayBeOne(app, tx, user_id, customer_id)) throw new HttpError(403, [{ code: 'own_account' }])
}

async function approvalReplies(
  app: App,
  rows: readonly Approval[],
  reader: Actor,
): Promise<contract.Approval[]> {
  const ids = rows.flatMap(({ customer_id, proposed_by, decided_by }) => [
    customer_id,
    proposed_by,
    decided_by,
  ])
  const names = await displayNames(app, app.db, ids)
  return Promise.all(rows.map((row) => approvalReply(app, row, names, reader)))
}

async function approvalReply(
  app: App,
  row: Approval,
  names: Awaited<ReturnType<typeof displayNames>>,
  reader: Actor,
): Promise<contract.Approval> {
  const { id, act, why, reason, status, note, failure, links, customer_id, decided_by } = row
  const customer = customer_id === null ? undefined : must(await findUser(app.db, customer_id))
  const bar =
    status === 'proposed' ? await barBetween(app, app.db, row.proposed_by, reader.user_id) : undefined
  return {
    id,
    act,
    why,
    barred: bar ? { why: bar.why, until: bar.until?.toISOString() ?? null } : null,
    amount: row.amount === null ? null : toMoney(row.amount, app.config.currency),
    reason,
    customer: customer ? { ...names.of(customer.id), email: customer.email } : null,
    proposed_by: names.of(row.proposed_by),
    proposed_at: row.proposed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    status,
    decided_by: decided_by === null ? null : names.of(decided_by),
    decided_at: row.decided_at?.toISOString() ?? null,
    note,
    failure,
    links: [...links],
    preview: status === 'proposed' ? await actByName(app, act).preview(app, row) : [],
  }
}
