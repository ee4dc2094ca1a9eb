import { isDeepStrictEqual } from 'node:util'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { lockUser, type Actor } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { TICKET_CHANGED } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { recordStaffAction, writeEvent, type EventLine } from './event-lines.ts'
import { planClosingAgain } from './plan-closing.ts'
import { publishTicketChanged, publishToTicketStaff } from './publish.ts'
import * as queries from './queries.ts'
import type { TicketRow } from './queries.ts'
import { planWaking } from './snooze.ts'
import { applyActs } from './ticket-acts.ts'
import * as undo from './undo-queries.ts'
import { partyOf, stateOf } from './write-message.ts'

type By = { actor: Actor; caller: Caller }

/** Does acts as `applyActs` does, and notes what they changed under `act_id`, so that it can be undone. */
export async function applyUndoably(
  app: App,
  tx: Tx,
  row: TicketRow,
  acts: Acts,
  { act_id, ...by }: By & { act_id: string },
): Promise<void> {
  const before = await undo.stateFields(tx, row.id)
  await applyActs(app, tx, row, acts, by)
  const after = await undo.stateFields(tx, row.id)
  const changed = undo.fieldNames.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (changed.length === 0) return
  await undo.keepForUndo(tx, {
    act_id,
    ticket_id: row.id,
    staff_id: by.actor.user_id,
    before: only(before, changed),
    after: only(after, undo.namesToCompare(changed)),
  })
}

/**
 * Puts a locked ticket back as it was before an act, with a line in the conversation for what its customer saw. Throws 409 `changed_since`
 * if one of those fields was changed since, the ticket was merged, or the assignee of then has left the staff; also if its customer has
 * written since and the act changed whose turn it is, for the message would be hidden.
 */
export async function undoActs(
  app: App,
  tx: Tx,
  row: TicketRow,
  act_id: string,
  { actor, caller }: By,
): Promise<void> {
  const noted = await undo.takeUndo(tx, act_id, row.id)
  const present = await undo.stateFields(tx, row.id)
  // A ticket that was merged meanwhile goes on in another one: only the undoing of the merge opens it again.
  if (row.merged_into_id !== null) throw new HttpError(409, [{ code: 'changed_since' }])
  if (!noted || isOther(present, noted.after)) throw new HttpError(409, [{ code: 'changed_since' }])
  const was = (await undo.putBack(tx, row.id, noted.before)) ?? row
  if (was.assignee_id !== row.assignee_id && was.assignee_id !== null) {
    const member = await lockUser(tx, was.assignee_id)
    if (!member?.is_staff || !member.is_active) throw new HttpError(409, [{ code: 'changed_since' }])
  }
  await planClosingAgain(tx, row.id)
  const by = { party: partyOf(row, actor), caller }
  const lines = await linesOf(app, tx, row, was)
  for (const line of lines) await writeEvent(tx, row, line, by)
  if (was.tags.join('\n') !== row.tags.join('\n')) await recordStaffAction(tx, row, 'tagged', by)
  if (was.snoozed_until?.getTime() !== row.snoozed_until?.getTime()) await planWaking(tx, was)
  if ((was.snoozed_at === null) !== (row.snoozed_at === null))
    await recordStaffAction(tx, row, was.snoozed_at === null ? 'woken' : 'snoozed', by)
  // Tags and sleep leave no trace with the customer.
  if (lines.length === 0) return publishToTicketStaff(tx, row, { type: TICKET_CHANGED }, { concerns: 'all' })
  const changed = (await queries.lockTicketById(tx, row.id)) ?? was
  return publishTicketChanged(tx, row, stateOf(row), stateOf(changed))
}

/** True if one of these values is no longer so. */
const isOther = (present: undo.TicketFields, values: undo.TicketFields): boolean =>
  Object.entries(values).some(([name, value]) => !isDeepStrictEqual(Reflect.get(present, name), value))

const only = (fields: undo.TicketFields, names: readonly (keyof undo.TicketFields)[]): undo.TicketFields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]))

async function linesOf(app: App, tx: Tx, now: TicketRow, was: TicketRow): Promise<EventLine[]> {
  const lines: EventLine[] = []
  if (now.status === 'closed' && was.status !== 'closed') lines.push({ code: 'reopened', params: {} })
  if (now.status !== 'closed' && was.status === 'closed') lines.push({ code: 'closed', params: {} })
  if (now.priority !== was.priority)
    lines.push({ code: 'priority_changed', params: { priority: was.priority } })
  if (now.topic !== was.topic) lines.push({ code: 'topic_changed', params: { topic: was.topic } })
  if (now.assignee_id === was.assignee_id) return lines
  if (was.assignee_id === null) return [...lines, { code: 'given_back', params: {} }]
  const names = await displayNames(app, tx, [was.assignee_id])
  return [...lines, { code: 'handed_over', params: { name: names.ofStaff(was.assignee_id).name } }]
}
