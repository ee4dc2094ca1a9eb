import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { must } from '#foundation/must.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { endSessionsOf, findUser, lockUser, type UserRow } from '#foundation/server/session/session.ts'
import { sendResetLink } from '#features/auth/server/auth.ts'
import * as contract from '#features/customers/contract.ts'
import { addressesOf, displayNames, lockAddress, moveToAddress } from '#features/profile/server/profile.ts'
import { removeFactors, voidPassword } from '#features/security/server/security.ts'
import * as queries from './factor-reset-queries.ts'
import { lockCustomer } from './lock-customer.ts'
import {
  accountMoved,
  accountMoveSoon,
  factorResetDone,
  factorResetRequested,
  factorResetSoon,
  mailToAll,
} from './mails.ts'
import { accountMergeSoon } from './merge-mails.ts'
import { mergeNow } from './merge-now.ts'
import { recordAct } from './record-act.ts'
import { COMMAND_LINE, memberOf, nameOf, type Who } from './who.ts'

/** The job that warns a day before a reset and resets at its time; the row of the reset decides between the two. */
export const FACTOR_RESET = jobKind('factor_reset', 'security')

const DAY_S = 86_400

/**
 * Answers `POST …/factor-reset/`. The account keeps its protection until the reset. The attack: somebody talks a member of support
 * into opening another person's account. Its owner has the waiting time to stop the reset, by the link of a mail or by using the factor.
 */
export const requestFactorReset = handler(contract.requestFactorReset, async (call) => {
  const { app, params, body } = call
  const wait_s = app.config.staff.resetWait_s
  const reset = await requestReset(app, memberOf(call), params.userId, { reason: body.reason, wait_s })
  return { status: 201, body: await resetReply(app, app.db, reset) }
})

/** Asks for the reset, which happens after the waiting time. Throws 409 `no_factor` and `reset_pending`. */
export async function requestReset(
  app: App,
  who: Who,
  customer_id: string,
  { reason, wait_s }: { reason: string; wait_s: number },
): Promise<queries.ResetRow> {
  return transaction(app, 'system', async (tx) => {
    const customer = await lockCustomer(tx, who, customer_id, { ownersMay: true })
    const { id: user_id } = customer
    if (!hasFactor(customer)) throw new HttpError(409, [{ code: 'no_factor' }])
    if (await queries.openReset(tx, user_id)) throw new HttpError(409, [{ code: 'reset_pending' }])
    const by = who.actor?.user_id ?? null
    const asked = {
      reason,
      by,
      wait_s,
      new_email: null,
      identity: null,
      merge_into: null,
      template: factorResetRequested,
    }
    const made = await beginReset(app, tx, customer, asked)
    const detail = { due_at: made.due_at.toISOString() }
    await recordAct(tx, { user_id, who, act: 'factor_reset.requested', reason, detail })
    return made
  })
}

type Asked = Omit<Parameters<typeof queries.insertReset>[1], 'user_id' | 'token_hash'> & {
  template: typeof factorResetRequested
}

/** Writes a reset, schedules it, and mails all proven addresses, of `others` too, a link that stops it. Needs the account locked, without an open reset. */
export async function beginReset(
  app: App,
  tx: Tx,
  customer: UserRow,
  { template, ...asked }: Asked,
  others: readonly UserRow[] = [],
): Promise<queries.ResetRow> {
  const key = randomToken()
  const made = await queries.insertReset(tx, { ...asked, user_id: customer.id, token_hash: hashToken(key) })
  const { id, due_at } = made
  const first_at = asked.wait_s > DAY_S ? new Date(due_at.getTime() - DAY_S * 1000) : due_at
  schedule(tx, id, first_at)
  for (const account of [customer, ...others]) await mailToAll(app, tx, account, template, { key, due_at })
  return made
}

/** Answers `DELETE …/factor-reset/`. */
export const cancelFactorReset = handler(contract.cancelFactorReset, async (call) => {
  const { app, params, body } = call
  const { reason } = body
  const who = memberOf(call)
  await transaction(app, 'system', async (tx) => {
    const { id: user_id } = await lockCustomer(tx, who, params.userId, { ownersMay: true })
    if (!(await queries.endReset(tx, { user_id }, 'cancelled'))) throw notFound()
    await recordAct(tx, { user_id, who, act: 'factor_reset.cancelled', reason })
  })
  return { status: 204 }
})

/** Answers `POST /api/factor-reset/veto/`, by the link of a mail. The key alone is enough, as stopping a reset takes nothing from anybody. */
export const vetoFactorReset = handler(contract.vetoFactorReset, async ({ app, caller, body: { key } }) => {
  await transaction(app, 'system', async (tx) => {
    const reset = await queries.resetByKey(tx, hashToken(key))
    if (!reset) throw badRequest('invalid_or_expired_key', 'key')
    const { user_id } = reset
    await lockUser(tx, user_id)
    // The reset may have been done while this transaction waited for the lock.
    if (!(await queries.endReset(tx, reset, 'vetoed'))) throw badRequest('invalid_or_expired_key', 'key')
    await recordAction(tx, { user_id, act: 'factor_reset.vetoed', ...originOf(caller) })
    await publishToStaff(tx, { type: contract.CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
  })
  return { status: 204 }
})

/** Cancels the pending reset of an account, because the factor was used or the account is gone. `detail` goes into the audit log. */
export async function endPendingReset(tx: Tx, user_id: string, detail: { by_use?: true }): Promise<void> {
  // A person with two accounts may go on using both until they are merged.
  if (!(await queries.endReset(tx, { user_id, keepsMerge: detail.by_use === true }, 'cancelled'))) return
  await recordAction(tx, { user_id, act: 'factor_reset.cancelled', detail })
  await publishToStaff(tx, { type: contract.CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
}

/** Runs the job of a reset or a merge. A merge that is refused by then is cancelled, with its reason in the audit. */
export async function stepFactorReset(app: App, { id }: { id: string }): Promise<void> {
  try {
    await step(app, id)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    await cancelRefused(app, id, must(error.errors[0]).code)
  }
}

async function cancelRefused(app: App, id: string, code: string): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const of = await queries.ownerOfReset(tx, id)
    if (!of || !(await queries.endReset(tx, { user_id: of.user_id, id }, 'cancelled'))) return
    const { user_id } = of
    await recordAction(tx, { user_id, act: 'customer.merge_refused', detail: { code } })
    await publishToStaff(tx, { type: contract.CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
  })
}

/** It decides by rows that it has locked, so it may run twice, late, or at the same time as a veto. */
async function step(app: App, id: string): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const of = await queries.ownerOfReset(tx, id)
    if (typeof of?.merge_into === 'string') await lockBoth(tx, [of.user_id, of.merge_into])
    // Addresses are locked before accounts, as when customers prove them.
    if (typeof of?.new_email === 'string') await lockAddress(tx, of.new_email)
    const user = of && (await lockUser(tx, of.user_id))
    if (!user) return
    const done = await queries.completeReset(tx, id)
    if (done && done.merge_into !== null)
      return mergeNow(
        app,
        tx,
        { from: user.id, into: done.merge_into },
        { by: done.by ?? nameOf(COMMAND_LINE), reason: done.reason },
      )
    if (done) return done.new_email === null ? removeAll(app, tx, user) : move(app, tx, user, done.new_email)
    const open = await queries.openReset(tx, user.id)
    if (open?.id !== id) return
    schedule(tx, id, open.due_at)
    if (open.warned_at !== null) return
    const key = randomToken()
    await queries.noteWarning(tx, id, hashToken(key))
    const soon = open.merge_into
      ? accountMergeSoon
      : open.new_email === null
        ? factorResetSoon
        : accountMoveSoon
    const other = open.merge_into === null ? undefined : await lockUser(tx, open.merge_into)
    for (const account of other ? [user, other] : [user])
      await mailToAll(app, tx, account, soon, { key, due_at: open.due_at })
  })
}

/** Locks two accounts in one order, whichever of them is merged. */
async function lockBoth(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) await lockUser(tx, id)
}

/** Resets at once, for the command line; every proven address is mailed. Throws 409 `no_factor`. */
export async function resetNow(app: App, customer_id: string, reason: string): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const customer = await lockCustomer(tx, COMMAND_LINE, customer_id, { ownersMay: true })
    const { id: user_id } = customer
    if (!hasFactor(customer)) throw new HttpError(409, [{ code: 'no_factor' }])
    await queries.endReset(tx, { user_id }, 'cancelled')
    await recordAct(tx, { user_id, who: COMMAND_LINE, act: 'factor_reset.requested', reason })
    await removeAll(app, tx, customer)
  })
}

/** Moves the account, and tells its addresses of before. If another account has proven the address meanwhile, everything stays. */
async function move(app: App, tx: Tx, user: UserRow, email: string): Promise<void> {
  const { id: user_id } = user
  const before = await addressesOf(tx, user_id)
  if (!(await moveToAddress(app, tx, user_id, email))) {
    await recordAction(tx, { user_id, act: 'factor_reset.cancelled', detail: { proven_elsewhere: true } })
    return publishToStaff(tx, { type: contract.CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
  }
  for (const { email: to } of before.filter((one) => one.verified && one.email !== email))
    await enqueueMail(app, tx, { user_id, to, locale: user.locale, template: accountMoved, values: {} })
  await recordAction(tx, { user_id, act: 'customer.moved' })
  return removeAll(app, tx, { ...user, email })
}

async function removeAll(app: App, tx: Tx, user: UserRow): Promise<void> {
  const { id: user_id, email, locale } = user
  await removeFactors(app, tx, user_id)
  await voidPassword(app, tx, user_id)
  await endSessionsOf(tx, user_id)
  await recordAction(tx, { user_id, act: 'factor_reset.done' })
  await mailToAll(app, tx, user, factorResetDone, {})
  // A new password would not open a locked account, and unlocking the account mails another link.
  if (user.access !== 'locked') await sendResetLink(app, tx, { user_id, email, locale })
  await publishToStaff(tx, { type: contract.CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
}

/** Enqueues the jobs of overdue resets again, in case they are missing, as after a restore of the tables alone. */
export async function sweepFactorResets(app: App): Promise<void> {
  const late = await queries.overdueResets(app.db, LATE_S)
  await transaction(app, 'system', async (tx) => {
    for (const id of late) enqueue(tx, FACTOR_RESET, { id }, { key: `factor_reset:${id}` })
  })
}

const LATE_S = 60

const schedule = (tx: Tx, id: string, run_at: Date): void =>
  enqueue(tx, FACTOR_RESET, { id }, { key: `factor_reset:${id}`, run_at })

// Recovery codes alone are no second factor.
const hasFactor = ({ factors }: UserRow): boolean => factors.some((factor) => factor !== 'recovery_codes')

/** Returns the pending reset of the account; null if there is none. */
export async function factorResetOf(
  app: App,
  db: App['db'],
  user_id: string,
): Promise<contract.FactorReset | null> {
  const row = await queries.openReset(db, user_id)
  return row ? resetReply(app, db, row) : null
}

export async function resetReply(
  app: App,
  db: App['db'],
  row: queries.ResetRow,
): Promise<contract.FactorReset> {
  const { reason, by, requested_at, due_at, new_email, merge_into } = row
  const into = merge_into === null ? undefined : await findUser(db, merge_into)
  return {
    reason,
    new_email,
    merge_into: into?.email ?? null,
    by: by === null ? null : (await displayNames(app, db, [by])).of(by).name,
    requested_at: requested_at.toISOString(),
    due_at: due_at.toISOString(),
  }
}
