import type { App } from '#foundation/server/app.ts'
import {
  eventsAfter,
  OPERATOR,
  type AccountEventRow,
} from '#foundation/server/account-events/account-events.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { DisabledReason } from '#features/webhooks/rules.ts'
import * as rules from '#features/webhooks/rules.ts'
import { noteAttempt } from './attempt-queries.ts'
import type { Lane } from './due-lane-queries.ts'
import * as lanes from './lane-queries.ts'
import { LEASE_s } from './lease.ts'
import { mailDisabled, mailFailing } from './mails.ts'
import { filterOf, laneOf } from './messages.ts'
import { publishChange } from './publish-change.ts'
import type { EndpointRow } from './queries.ts'
import { settleAttention } from './settle-attention.ts'
import type { Sent } from './send.ts'

/** The events that are looked at in one statement. */
const AT_ONCE = 100

type Delivered = Sent & { lane: Lane; endpoint: EndpointRow; event: AccountEventRow }

/**
 * Moves the cursor after a success, or puts the event off, in one transaction. Returns true if the lane goes on. A worker whose lease is over
 * changes nothing: another has the lane by now.
 */
export const noteOutcome = (app: App, delivered: Delivered): Promise<boolean> =>
  transaction(app, 'system', async (tx) => {
    const { lane, endpoint, event, attempt, isOk } = delivered
    if (!isOk) return noteFailure(app, tx, delivered)
    if (!(await lanes.moveOn(tx, lane, event.seq, LEASE_s))) return false
    await noteAttempt(tx, attempt, 'delivered')
    if (endpoint.skipped.includes(BigInt(event.seq))) await lanes.forgetSkipped(tx, endpoint.id, event.seq)
    return true
  })

async function noteFailure(app: App, tx: Tx, { lane, endpoint, event, attempt }: Delivered): Promise<false> {
  const failed = await lanes.countFailure(tx, lane)
  if (!failed) return false
  await noteAttempt(tx, attempt, 'failed')
  await lanes.putOff(tx, lane, rules.pauseAfter_s(failed.failures))
  const isGone = attempt.status === rules.GONE
  if (isGone && (await lanes.disable(tx, endpoint.id, 'gone'))) await tellDisabled(app, tx, endpoint, 'gone')
  else if (await lanes.disable(tx, endpoint.id, 'failing', rules.DISABLE_AFTER_h))
    await tellDisabled(app, tx, endpoint, 'failing')
  else {
    if (await lanes.takeWarning(tx, endpoint.id, rules.WARN_AFTER_h)) await mailFailing(app, tx, endpoint)
    if (rules.givesWay(failed.failures, failed.hours) && (await hasMore(tx, { endpoint, lane, event }))) {
      await lanes.noteSkipped(tx, endpoint.id, event.seq)
      await lanes.skip(tx, lane, event.seq)
    }
  }
  return false
}

async function tellDisabled(app: App, tx: Tx, endpoint: EndpointRow, why: DisabledReason): Promise<void> {
  await mailDisabled(app, tx, endpoint, why)
  await settleAttention(tx, endpoint.user_id)
  await publishChange(tx, endpoint.user_id)
}

type Waiting = Pick<Delivered, 'endpoint' | 'lane' | 'event'>

/** True if another event of the lane waits behind this one. */
async function hasMore(tx: Tx, { endpoint, lane, event }: Waiting): Promise<boolean> {
  const filter = { ...filterOf(endpoint), limit: AT_ONCE }
  for (let { seq } = event; ;) {
    const page = await eventsAfter(tx, endpoint.user_id ?? OPERATOR, seq, filter)
    if (page.events.some((one) => laneOf(endpoint, one) === lane.lane)) return true
    if (!page.hasMore) return false
    seq = page.seq
  }
}
