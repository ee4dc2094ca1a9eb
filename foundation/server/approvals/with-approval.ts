import type { ApprovalCause, LinkKind } from '#foundation/approvals.ts'
import type { ReplyOf, Route } from '#foundation/contract.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { Call } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { keepAnswer, type KeptCall } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { must } from '#foundation/must.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { insertUse } from './allowance-queries.ts'
import { allowanceOf, mustWait } from './allowances.ts'
import { nameOf, type ApprovableAct, type Plan } from './approvable-act.ts'
import { approvalChanged, doneAlone } from './events.ts'
import * as queries from './queries.ts'
import type { By, RequestedAct } from './requested-act.ts'

/**
 * Answers a call of staff that may need a second person: 201 (or 200, as the contract has it) with the body of the action that ran, or 202
 * with the approval that now waits. The attack is a member who moves in many small amounts, or in many at once, what they may not move in
 * one: amounts of 24 hours are summed under a lock of the member, in the transaction of the action. The Idempotency-Key covers both
 * answers. `plan` returns the action that is asked for, and throws if it is refused at once. With `links` any amount waits, with `always`
 * any action.
 */
export async function withApproval<const R extends Route, Input, Asked extends RequestedAct<Input>>(
  contract: R,
  call: Call<R>,
  act: ApprovableAct<Input, Asked>,
  plan: (tx: Tx) => Promise<Plan<Asked>>,
): Promise<ReplyOf<R>>
// This signature does not tie the reply to the contract: the server checks each reply against the contract when it is sent.
export async function withApproval<Input, Asked extends RequestedAct<Input>>(
  contract: Route,
  call: KeptCall & Pick<Call<Route>, 'caller'>,
  act: ApprovableAct<Input, Asked>,
  plan: (tx: Tx) => Promise<Plan<Asked>>,
): Promise<{ status: number; body?: unknown }> {
  const { app, caller } = call
  const actor = must<Actor>(call.actor)
  const work = async (tx: Tx) => {
    // The member's lock comes before any lock of the action, so that all calls of a member take their locks in one order (rule 9).
    await lockByName(tx, `allowance:${actor.user_id}`)
    const asked = await plan(tx)
    const { links } = asked
    const { proposing = false } = app
    const why =
      asked.always || proposing
        ? 'always'
        : await causeOf(app, tx, { actor, act, amount: asked.amount, links })
    const isAlone =
      why !== undefined &&
      !proposing &&
      !(await mustWait(app, tx, { actor, act, customer_id: asked.customer_id }))
    const origin = originOf(caller)
    const proposed_by = actor.user_id
    if (why && !isAlone)
      return {
        status: 202,
        body: waiting(app, await propose(app, tx, { act, asked, links, why, proposed_by, origin })),
      }
    const by = { by: actor.user_id, ...(isAlone && { alone: true as const }), origin }
    const { body } = await act.run(app, tx, asked, by)
    const { customer_id, amount, reason } = asked
    const name = nameOf(act)
    if (isAlone && app.config.staff.needsApprovals)
      await emit(app, tx, doneAlone, { act: name, customer_id, amount, reason, by: actor.user_id })
    else if (!isAlone && amount !== null && act.allowances)
      await insertUse(tx, { user_id: actor.user_id, act: name, amount })
    return { status: 201 in contract.replies ? 201 : 200, body }
  }
  return keepAnswer(contract, call, work, 'system')
}

type Wanted = {
  actor: Actor
  act: ApprovableAct
  amount: bigint | null
  links: readonly string[]
}

async function causeOf(
  app: App,
  tx: Tx,
  { actor, act, amount, links }: Wanted,
): Promise<ApprovalCause | undefined> {
  if (links.length > 0) return 'linked'
  if (amount === null || !act.allowances) return undefined
  const { single, left_today } = must((await allowanceOf(app, tx, actor, [act]))[0])
  if (amount > single) return 'allowance'
  return amount > left_today ? 'day' : undefined
}

type Proposal = {
  act: ApprovableAct
  asked: RequestedAct
  links: readonly LinkKind[]
  why: ApprovalCause
  proposed_by: string
  origin: By['origin']
}

/** Lets an action wait for a second person. Throws 409 `already_proposed` where the same action waits already. */
async function propose(
  app: App,
  tx: Tx,
  { act, asked, links, why, proposed_by, origin }: Proposal,
): Promise<queries.Approval> {
  const name = nameOf(act)
  const row = await queries.insertApproval(tx, { ...asked, act: name, links, why, proposed_by })
  if (!row) throw new HttpError(409, [{ code: 'already_proposed' }])
  const { id: approval_id, customer_id: user_id, amount, reason } = row
  const detail = { by: proposed_by, approval_id, act: name, ...amountIn(amount), why, reason }
  await recordAction(tx, { user_id, act: 'approval.proposed', ...origin, detail })
  await emit(app, tx, approvalChanged, row)
  return row
}

/** The amount as part of an audit line; no property where the action has no amount. */
export const amountIn = (amount: bigint | null): { amount?: string } =>
  amount === null ? {} : { amount: amount.toString() }

const waiting = ({ config }: App, { id, act, why, amount, expires_at }: queries.Approval) => ({
  approval: {
    id,
    act,
    why,
    amount: amount === null ? null : toMoney(amount, config.currency),
    expires_at: expires_at.toISOString(),
  },
})
