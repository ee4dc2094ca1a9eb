import { mayDo } from '#foundation/roles.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { refusalOfStaff } from '#foundation/server/http/access.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { assertNoBar } from './bars.ts'
import { actByName, type ApprovableAct } from './approvable-act.ts'
import { approvalChanged } from './events.ts'
import * as queries from './queries.ts'
import type { Approval, Outcome } from './queries.ts'
import type { By } from './requested-act.ts'
import { amountIn } from './with-approval.ts'

export type Decision = {
  id: string
  actor: Actor
  caller: Caller
  decision: 'approve' | 'refuse'
  note: string | null
  /** Throws where the member may not decide about this customer, because the customer is the member or an account of theirs. */
  assertOther: (tx: Tx, customer_id: string) => Promise<void>
}

/**
 * Approves a proposal, and runs it in the same transaction, or refuses it. An approved action that its own rules now refuse becomes
 * `failed`, with the code of the refusal. Throws 404; 403 `own_proposal`, `not_allowed` and a bar; 409 `already_decided`.
 */
export async function decide(app: App, decision: Decision): Promise<Approval> {
  try {
    return await transaction(app, 'system', (tx) => decideIn(app, tx, decision))
  } catch (error) {
    if (!(error instanceof RefusedByAct)) throw error
    // The action's rows are rolled back; another member may have decided meanwhile.
    const failure = must(error.refusal.errors[0]).code
    return transaction(app, 'system', (tx) => decideIn(app, tx, { ...decision, failure }))
  }
}

class RefusedByAct extends Error {
  readonly refusal: HttpError

  constructor(refusal: HttpError) {
    super(refusal.message)
    this.refusal = refusal
  }
}

async function decideIn(app: App, tx: Tx, wanted: Decision & { failure?: string }): Promise<Approval> {
  const { actor, note, decision, failure } = wanted
  const asked = await queries.approvalById(tx, wanted.id)
  if (asked) await actByName(app, asked.act).lock?.(tx)
  const approval = await queries.lockApproval(tx, wanted.id)
  if (!approval) throw notFound()
  const act = actByName(app, approval.act)
  await assertMayDecide(app, tx, wanted, approval, act)
  if (approval.status !== 'proposed' || approval.is_due || !(await mayStillAsk(tx, approval, act)))
    throw new HttpError(409, [{ code: 'already_decided' }])
  const decided = { decided_by: actor.user_id, note }
  const who = authorOf(wanted)
  if (decision === 'refuse') return settle(app, tx, approval, { status: 'refused', ...decided }, who)
  if (failure !== undefined) return settle(app, tx, approval, { status: 'failed', ...decided, failure }, who)
  const result = await run(app, tx, approval, act, wanted)
  return settle(app, tx, approval, { status: 'approved', ...decided, result }, who)
}

async function assertMayDecide(
  app: App,
  tx: Tx,
  { actor, caller, assertOther }: Decision,
  { proposed_by, customer_id }: Approval,
  act: ApprovableAct,
): Promise<void> {
  if (proposed_by === actor.user_id) throw new HttpError(403, [{ code: 'own_proposal' }])
  if (refusalOfStaff(caller, act.permission)) throw new HttpError(403, [{ code: 'not_allowed' }])
  await assertNoBar(app, tx, proposed_by, actor.user_id)
  if (customer_id !== null) await assertOther(tx, customer_id)
}

/** The attack is a member who leaves and whose proposals still run. The check holds in whatever way the roles were lost. */
async function mayStillAsk(tx: Tx, { proposed_by }: Approval, act: ApprovableAct): Promise<boolean> {
  const proposer = await findUser(tx, proposed_by)
  return proposer?.is_active === true && mayDo(proposer.staff_roles, act.permission)
}

async function run(
  app: App,
  tx: Tx,
  { customer_id, amount, input, reason, proposed_by }: Approval,
  act: ApprovableAct,
  { actor, caller }: Decision,
): Promise<object> {
  const by = { by: proposed_by, approved_by: actor.user_id, origin: originOf(caller) }
  try {
    return (await act.run(app, tx, { customer_id, amount, input, reason }, by)).result
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) throw new RefusedByAct(error)
    throw error
  }
}

/** Takes back a member's own proposal. Throws 404 where the member has no such proposal, 409 `already_decided`. */
export async function withdraw(
  app: App,
  { id, actor, caller }: Pick<Decision, 'id' | 'actor' | 'caller'>,
): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const approval = await queries.lockApproval(tx, id)
    if (approval?.proposed_by !== actor.user_id) throw notFound()
    if (approval.status !== 'proposed' || approval.is_due)
      throw new HttpError(409, [{ code: 'already_decided' }])
    await settle(app, tx, approval, { status: 'withdrawn' }, authorOf({ actor, caller }))
  })
}

/** The author in the audit line of a proposal that ends: the id of a member, or the command line. */
export type Author = { by: string; origin?: By['origin'] | undefined }

const authorOf = ({ actor, caller }: Pick<Decision, 'actor' | 'caller'>): Author => ({
  by: actor.user_id,
  origin: originOf(caller),
})

/** Takes back the proposals about a thing that a call has ended, such as an invitation. The caller locked them before (`lockProposals`). */
export async function withdrawAll(
  app: App,
  tx: Tx,
  proposals: readonly Approval[],
  who: Author,
): Promise<void> {
  for (const approval of proposals) await settle(app, tx, approval, { status: 'withdrawn' }, who)
}

/** Ends a proposal whose time is over, or whose proposer may not ask for the action any more. A decided proposal stays as it is. */
export async function expire(app: App, tx: Tx, id: string): Promise<void> {
  const approval = await queries.lockApproval(tx, id)
  if (approval?.status === 'proposed') await settle(app, tx, approval, { status: 'expired' })
}

async function settle(
  app: App,
  tx: Tx,
  { id, customer_id, act, amount }: Approval,
  outcome: Outcome,
  who: Author = { by: 'system' },
): Promise<Approval> {
  const settled = must(await queries.settleApproval(tx, id, outcome))
  const { note, failure } = settled
  const detail = { by: who.by, approval_id: id, act, ...amountIn(amount) }
  await recordAction(tx, {
    user_id: customer_id,
    act: `approval.${outcome.status}`,
    ...who.origin,
    detail: { ...detail, ...(note !== null && { note }), ...(failure !== null && { failure }) },
  })
  await emit(app, tx, approvalChanged, settled)
  return settled
}
