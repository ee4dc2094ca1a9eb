import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import * as contract from '#features/customers/merge-contract.ts'
import { findAccountByProvenEmail, mayBeOne } from '#features/profile/server/profile.ts'
import { assertMergeable, lockPair, type Accounts } from './assert-mergeable.ts'
import { beginReset, resetReply } from './factor-resets.ts'
import { accountMergeRequested } from './merge-mails.ts'

type Input = { into_id: string; identity: string }

/**
 * Answers `POST …/merge/`: two accounts of one person become one. The attack: somebody talks a member of support into giving them what
 * another person's account holds. A second member confirms, every proven address of both accounts is mailed a link that stops it, nothing
 * changes before the waiting time is over, and for some days it can be undone.
 */
export const mergeAccount = handler(contract.mergeAccount, (call) => {
  const { app, actor, params, body } = call
  return withApproval(contract.mergeAccount, call, mergeAct, async (tx) => {
    const found = await findAccountByProvenEmail(tx, body.email)
    if (!found) throw badRequest('merge_no_account', 'email')
    const pair = await lockPair(tx, { actor }, { from: params.userId, into: found.user_id })
    await assertMergeable(app, tx, pair)
    const input = { into_id: pair.into.id, identity: body.identity }
    return { customer_id: pair.from.id, amount: null, input, reason: body.reason, links: [], always: true }
  })
})

/** Begins the waiting time. The reasons to refuse are checked again, because time has passed since the request. */
export const mergeAct: ApprovableAct<Input> = {
  permission: contract.mergePermission,
  async run(app, tx, { customer_id, reason, input: { into_id, identity } }, { origin, ...people }) {
    // The second member must be nobody's twin on either side; `decide` has asked about the account that is merged alone.
    if (people.approved_by !== undefined && (await mayBeOne(app, tx, people.approved_by, into_id)))
      throw new HttpError(403, [{ code: 'own_account' }])
    const accounts = { from: must(customer_id), into: into_id }
    const reset = await beginMerge(app, tx, accounts, { reason, by: people.by })
    const detail = { ...people, reason, identity, into_id, due_at: reset.due_at.toISOString() }
    await recordAction(tx, { user_id: reset.user_id, act: 'customer.merge_requested', ...origin, detail })
    return { body: await resetReply(app, tx, reset), result: {} }
  },
  preview: async (app, { input: { into_id } }) => [
    { code: 'account_merge', params: { email: (await findUser(app.db, into_id))?.email ?? '' } },
  ],
}

type Asked = { reason: string; by: string | null }

/** Begins the waiting time of a merge, and mails both accounts. Throws 409 with the reason against it. */
export async function beginMerge(app: App, tx: Tx, accounts: Accounts, asked: Asked) {
  const pair = await lockPair(tx, { actor: undefined }, accounts)
  await assertMergeable(app, tx, pair)
  const wait_s = app.config.staff.resetWait_s
  const more = {
    new_email: null,
    identity: null,
    merge_into: pair.into.id,
    wait_s,
    template: accountMergeRequested,
  }
  const reset = await beginReset(app, tx, pair.from, { ...asked, ...more }, [pair.into])
  await publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id: pair.from.id })
  return reset
}
