import type { App } from '#foundation/server/app.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { findUser, lockUser, type Actor } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { TICKET_CHANGED, ticketHandedOver } from '#features/support/tickets/contract.ts'
import {
  afterAssigning,
  afterReopening,
  afterUnassigning,
  ticketCan,
} from '#features/support/tickets/rules.ts'
import { tagLimits, tagsAfter } from '#features/support/tickets/tags.ts'
import * as acting from './act-queries.ts'
import { recordStaffAction, writeEvent, type TicketActor } from './event-lines.ts'
import { planTelling } from './plan-closing.ts'
import { publishTicketChanged, publishToTicketStaff } from './publish.ts'
import * as queries from './queries.ts'
import type { TicketRow } from './queries.ts'
import { snooze, wake } from './snooze.ts'
import { partyOf, stateOf } from './write-message.ts'

type By = { actor: Actor; caller: Caller }

/**
 * Does acts of staff on a locked ticket, all or none, and publishes what changed. Returns the ticket as it is then. An act that it shows
 * already changes nothing. Tags and sleep are not for its customer, not even as an event. Throws 409 `own_ticket` and `ticket_closed`,
 * and 400 `unknown_staff`, `too_many_tags` and `past_time`, each at its act.
 */
export async function applyActs(app: App, tx: Tx, row: TicketRow, acts: Acts, by: By): Promise<TicketRow> {
  const actor = { party: partyOf(row, by.actor), caller: by.caller }
  if (actor.party.role === 'customer') throw new HttpError(409, [{ code: 'own_ticket' }])
  const sorted = await sortOut(tx, row, acts, actor)
  const tagged = await tagTicket(tx, row, acts, actor)
  const present = acts.status === undefined ? row : await reopen(tx, row, acts, actor)
  const assigned = await assign(app, tx, present, acts, { ...actor, user_id: by.actor.user_id })
  const closed = await close(tx, assigned ?? present, acts, actor)
  const awake = (await queries.lockTicketById(tx, row.id)) ?? row
  const slept = await sleep(tx, awake, acts, actor)
  const changed = slept ? ((await queries.lockTicketById(tx, row.id)) ?? row) : awake
  if (sorted || assigned || closed || present !== row)
    await publishTicketChanged(tx, row, stateOf(row), stateOf(changed))
  else if (tagged || slept)
    await publishToTicketStaff(tx, row, { type: TICKET_CHANGED }, { concerns: slept ? 'all' : [] })
  return changed
}

async function sortOut(tx: Tx, row: TicketRow, { priority, topic }: Acts, by: TicketActor): Promise<boolean> {
  const isOther = { priority: priority ?? row.priority, topic: topic ?? row.topic }
  if (isOther.priority !== row.priority) {
    await queries.updateTicket(tx, row.id, { priority: isOther.priority })
    await writeEvent(tx, row, { code: 'priority_changed', params: { priority: isOther.priority } }, by)
  }
  if (isOther.topic !== row.topic) {
    await queries.updateTicket(tx, row.id, { topic: isOther.topic })
    await writeEvent(tx, row, { code: 'topic_changed', params: { topic: isOther.topic } }, by)
  }
  return isOther.priority !== row.priority || isOther.topic !== row.topic
}

async function tagTicket(tx: Tx, row: TicketRow, acts: Acts, by: TicketActor): Promise<boolean> {
  const { add_tags: add = [], remove_tags: remove = [] } = acts
  const tags = tagsAfter(row.tags, { add, remove })
  if (tags.join('\n') === row.tags.join('\n')) return false
  if (tags.length > tagLimits.each) throw badRequest('too_many_tags', 'add_tags')
  const unknown = await acting.newTags(tx, tags)
  if (unknown.length > 0) {
    // Counting and adding are one step under a lock, or two at once would exceed the limit together.
    await lockByName(tx, 'ticket_tags')
    if (!(await acting.keepTags(tx, unknown))) throw badRequest('too_many_tags', 'add_tags')
  }
  await acting.setTags(tx, row.id, tags)
  await recordStaffAction(tx, row, 'tagged', by)
  return true
}

async function reopen(tx: Tx, row: TicketRow, { status }: Acts, by: TicketActor): Promise<TicketRow> {
  if (status !== 'open' || !ticketCan.reopen(stateOf(row), by.party)) return row
  const opened = await queries.updateTicket(tx, row.id, afterReopening(stateOf(row)))
  await writeEvent(tx, row, { code: 'reopened', params: {} }, by)
  return opened
}

/** Assigns the ticket, or returns it to the queue; undefined if that changes nothing. */
async function assign(
  app: App,
  tx: Tx,
  row: TicketRow,
  { assignee }: Acts,
  { user_id, ...by }: TicketActor & { user_id: string },
): Promise<TicketRow | undefined> {
  if (assignee === undefined) return undefined
  const wanted = assignee === 'none' ? null : assignee === 'me' ? user_id : assignee
  if (wanted === row.assignee_id) return undefined
  if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed', param: 'assignee' }])
  if (wanted === null) {
    const returned = await queries.updateTicket(tx, row.id, afterUnassigning())
    await writeEvent(tx, row, { code: 'given_back', params: {} }, by)
    return returned
  }
  if (wanted === row.user_id) throw new HttpError(409, [{ code: 'own_ticket', param: 'assignee' }])
  if (!(await findUser(tx, wanted))) throw badRequest('unknown_staff', 'assignee')
  const assigned = await queries.updateTicket(tx, row.id, afterAssigning(stateOf(row), wanted))
  // It is asked under the lock of the member, who may be leaving the staff.
  const member = await lockUser(tx, wanted)
  if (!member?.is_staff || !member.is_active) throw badRequest('unknown_staff', 'assignee')
  const names = await displayNames(app, tx, [wanted])
  const line =
    wanted === user_id
      ? ({ code: 'taken', params: {} } as const)
      : ({ code: 'handed_over', params: { name: names.ofStaff(wanted).name } } as const)
  await writeEvent(tx, row, line, by)
  if (wanted !== user_id) {
    const handed = { chat_id: row.public_id, number: row.number, to: wanted, by: user_id }
    await emit(app, tx, ticketHandedOver, handed)
  }
  return assigned
}

async function close(tx: Tx, row: TicketRow, { status }: Acts, by: TicketActor): Promise<boolean> {
  if (status !== 'closed' || !ticketCan.close(stateOf(row))) return false
  await queries.updateTicket(tx, row.id, { status: 'closed' })
  await writeEvent(tx, row, { code: 'closed', params: {} }, by)
  planTelling(tx, row.id)
  return true
}

const HOUR_ms = 3_600_000

async function sleep(tx: Tx, row: TicketRow, acts: Acts, by: TicketActor): Promise<boolean> {
  if (acts.snooze === undefined) return false
  if (acts.snooze === null) {
    if (row.snoozed_at === null) return false
    await wake(tx, row)
    await recordStaffAction(tx, row, 'woken', by)
    return true
  }
  if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed', param: 'snooze' }])
  const { until, hours } = acts.snooze
  const time =
    until === undefined
      ? hours === undefined
        ? null
        : new Date(Date.now() + hours * HOUR_ms)
      : new Date(until)
  await snooze(tx, row, time)
  await recordStaffAction(tx, row, 'snoozed', by)
  return true
}
