import { seeMoney } from '#foundation/capability.ts'
import { toMoney } from '#foundation/money.ts'
import type { Published } from '#foundation/published.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import { emit } from '#foundation/server/events.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import { cancelPayment, lockTopUpIfFree } from '#features/finance/server/finance.ts'
import { methodWithId } from '#features/methods/server/methods.ts'
import { autoTopUpPaused, chargeWaits } from '#features/auto-top-ups/contract.ts'
import { authenticationRequired, chargeDeclined } from '#features/auto-top-ups/event-contract.ts'
import type { autoTopUpRun } from '#features/auto-top-ups/shapes.ts'
import { ALLOW_DAYS, noticeDays, RETRY_DAYS, type PauseReason } from '#features/auto-top-ups/rules.ts'
import type { NamedMethod } from '#features/methods/texts.ts'
import * as mails from './mails.ts'
import * as queries from './queries.ts'
import { toRunReply } from './replies.ts'
import type { AutoTopUpRow } from './queries.ts'
import * as runs from './run-queries.ts'
import type { RunRow } from './run-queries.ts'

const DAY_S = 86_400

/** Tells open pages that the automatic top-up or a run of it has changed. */
export const tellOfChange = (tx: Tx, user_id: string): Promise<void> =>
  publish(tx, user_id, { type: BALANCE_CHANGED }, seeMoney)

type Paused = { words?: string; isQuiet?: boolean }

/**
 * Pauses an automatic top-up, with a mail unless its customer did it. A run that waits for its day or its customer, or of which its provider
 * was never asked, is cancelled; of any other, the provider is asked what has become of it (`chargeRun`). The caller has locked the automatic top-up.
 */
export async function pauseAutoTopUp(
  app: App,
  tx: Tx,
  { user_id, state }: Pick<AutoTopUpRow, 'user_id' | 'state'>,
  reason: PauseReason,
  { words, isQuiet = false }: Paused = {},
): Promise<void> {
  await cancelWaiting(tx, user_id)
  if (state === 'paused') return
  await queries.setPaused(tx, user_id, reason)
  await tellOfChange(tx, user_id)
  const values = { reason, ...(words === undefined ? {} : { words }) }
  if (isQuiet) return
  await mailTo(app, tx, user_id, mails.autoTopUpPaused, values)
  await emit(app, tx, autoTopUpPaused, { user_id })
}

/**
 * Cancels the run of an account that its provider does not move yet. A caller may hold the balance, and nobody waits for a payment then (rule 9):
 * a run whose payment is busy goes on to its job, which judges it anew and cancels it.
 */
export async function cancelWaiting(tx: Tx, user_id: string): Promise<void> {
  const run = await runs.openRunOf(tx, user_id)
  if (run && isUnmoved(run) && (await lockTopUpIfFree(tx, run.top_up_id))) await endRun(tx, run, 'cancelled')
}

const isUnmoved = ({ state, asked_at }: RunRow): boolean =>
  state === 'announced' || state === 'action_needed' || (state === 'charging' && asked_at === null)

/** Ends a run whose payment is waited for no more. Money that comes all the same counts. */
export async function endRun(tx: Tx, run: RunRow, state: 'cancelled' | 'expired'): Promise<void> {
  await runs.moveRun(tx, run.top_up_id, { state })
  await cancelPayment(tx, run.top_up_id)
}

/** A charge was declined: it is tried again some days later, or the automatic top-up is paused. The caller has locked both. */
export async function declineRun(
  app: App,
  tx: Tx,
  run: RunRow,
  { reason, isFinal }: { reason: string; isFinal: boolean },
): Promise<void> {
  const { user_id, top_up_id } = run
  await runs.moveRun(tx, top_up_id, { state: 'declined', reason })
  recordRun(tx, run, chargeDeclined)
  await cancelPayment(tx, top_up_id)
  const row = await queries.autoTopUpOf(tx, user_id)
  if (!row) return
  const declines = row.declines + 1
  const days = RETRY_DAYS[declines - 1]
  if (isFinal || days === undefined) return pauseAutoTopUp(app, tx, row, 'declined')
  const in_s = (days - (RETRY_DAYS[declines - 2] ?? 0)) * DAY_S
  await queries.setDeclines(tx, user_id, declines, in_s)
  await tellOfChange(tx, user_id)
  if (row.state === 'paused') return
  const charged = await chargedBy(tx, run)
  // A direct debit is announced anew before it is tried again.
  const again_at = new Date(Date.now() + (in_s + noticeDays(charged.method.kind) * DAY_S) * 1000)
  await mailTo(app, tx, user_id, mails.chargeDeclined, { ...charged, again_at })
}

/** The bank wants the customer to allow a charge: a mail, the bell and a banner lead to the page that does it. */
export async function askCustomer(app: App, tx: Tx, run: RunRow): Promise<void> {
  await runs.moveRun(tx, run.top_up_id, { state: 'action_needed', allow_days: ALLOW_DAYS })
  await tellOfChange(tx, run.user_id)
  recordRun(tx, run, authenticationRequired)
  await emit(app, tx, chargeWaits, { user_id: run.user_id, run: run.public_id })
  const until = new Date(Date.now() + ALLOW_DAYS * DAY_S * 1000)
  const values = { ...(await chargedBy(tx, run)), run: run.public_id, until }
  await mailTo(app, tx, run.user_id, mails.chargeWaits, values)
}

/** Records an event with a run as it is at the commit. */
const recordRun = (tx: Tx, { user_id, public_id }: RunRow, kind: Published<typeof autoTopUpRun>): void =>
  record(tx, user_id, kind, async (at) => {
    const row = await runs.runCalled(at, public_id)
    return row && toRunReply(row)
  })

async function chargedBy(tx: Tx, { amount, currency, method_id }: RunRow) {
  const row = await methodWithId(tx, method_id)
  const method: NamedMethod = row ?? { kind: 'card', brand: '', last4: '' }
  return {
    amount: toMoney(amount, currency),
    method: { kind: method.kind, brand: method.brand, last4: method.last4 },
  }
}
