import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import type { Redacted } from '#features/support/tickets/server/message-queries.ts'
import type { App } from '#foundation/server/app.ts'
import { randomId } from '#foundation/server/random-id.ts'
import {
  afterAssigning,
  afterUnassigning,
  afterReopening,
  afterReply,
  type Priority,
  type Topic,
  type TicketState,
} from '#features/support/tickets/rules.ts'
import { attach } from '#features/support/tickets/server/attach.ts'
import { keepSecret } from '#features/support/tickets/server/secrets.ts'
import { planClosing } from '#features/support/tickets/server/plan-closing.ts'
import {
  insertLines,
  insertSeen,
  insertSeedTicket,
  type SeedLine,
  type SeedTimes,
} from './ticket-history-queries.ts'

/** A message or a change in a ticket at a time of the past. */
export type TicketSeedEvent = { at: Date; author_id: string } & (
  | ({ kind: 'comment'; text: string; attachment_ids?: readonly string[] } & Marks)
  | { kind: 'note'; text: string; attachment_ids?: readonly string[] }
  | { kind: 'event'; act: 'taken' | 'closed' | 'reopened' | 'given_back' }
  | { kind: 'event'; act: 'handed_over'; to: { id: string; name: string } }
  | { kind: 'event'; act: 'priority_changed'; priority: Priority }
  | { kind: 'event'; act: 'topic_changed'; topic: Topic }
)

/** A message may have come as a mail, with what that quotes; hold a secret; or have lost its text. */
type Marks = { quoted?: string; secret?: string; removed?: { by: string; at: Date } }

type About = {
  customer_id: string
  subject: string
  topic: Topic
  priority: Priority
  host?: { id: bigint; public_id: string } | undefined
  /** The number of the latest lines that the customer or the assignee has not seen yet. */
  unseen?: { customer?: number; staff?: number }
}

/**
 * Writes a ticket of the example data with all its messages, and notifies nobody. The state of the ticket follows from the rules
 * of tickets, line by line, so that no history can end in an impossible state.
 */
export async function importTicketHistory(
  app: App,
  tx: Tx,
  about: About,
  told: readonly TicketSeedEvent[],
): Promise<SeededTicket> {
  const now = emptyTicket(told[0]?.at ?? new Date())
  const lines = told.map((one) => {
    happen(now, one, about.customer_id)
    return lineOf(now, one, about.customer_id)
  })
  const { unseen: { customer = 0, staff = 0 } = {} } = about
  const public_id = randomId()
  const seen = [
    { user_id: about.customer_id, seq: Math.max(0, now.customer_seq - customer) },
    ...(now.state.assignee_id === null
      ? []
      : [{ user_id: now.state.assignee_id, seq: Math.max(0, now.staff_seq - staff) }]),
  ]
  const { customer_id, subject, topic, priority, host } = about
  const { id, number } = await insertSeedTicket(tx, {
    public_id,
    user_id: customer_id,
    subject,
    host_id: host?.id ?? null,
    host_public_id: host?.public_id ?? null,
    topic: now.topic ?? topic,
    priority: now.priority ?? priority,
    status: now.state.status,
    assignee_id: now.state.assignee_id,
    staff_seq: now.staff_seq,
    customer_seq: now.customer_seq,
    ...now.times,
  })
  for (const [place, one] of told.entries()) {
    const line = must(lines[place])
    line.attachments = await attachmentsOf(app, tx, { one, customer_id, ticket_id: id })
    if (one.kind !== 'comment' || one.secret === undefined) continue
    const secret = { text: one.secret, by_staff: line.by_staff }
    line.secret_id = await keepSecret(app, tx, { id, user_id: customer_id }, secret)
  }
  await insertLines(tx, { ticket_id: id, user_id: customer_id, lines })
  await insertSeen(tx, id, seen)
  if (now.state.status === 'pending') planClosing(tx, id)
  return { id, public_id, number, lines }
}

export type SeededTicket = { id: bigint; public_id: string; number: number; lines: readonly SeedLine[] }

type Now = {
  state: TicketState
  times: SeedTimes
  staff_seq: number
  customer_seq: number
  topic?: Topic
  priority?: Priority
}

const emptyTicket = (at: Date): Now => ({
  state: { status: 'opened', assignee_id: null, closed_at: null },
  times: {
    created_at: at,
    last_message_at: at,
    waiting_since: at,
    pending_since: null,
    first_reply_at: null,
    closed_at: null,
  },
  staff_seq: 0,
  customer_seq: 0,
})

/** Applies an event to a ticket: its state, the times since which it waits, and the numbers of its messages. */
function happen(now: Now, told: TicketSeedEvent, customer_id: string): void {
  now.staff_seq += 1
  if (told.kind !== 'note') {
    now.customer_seq += 1
    now.times.last_message_at = told.at
  }
  const before = now.state.status
  now.state = { ...now.state, ...after(now.state, told, customer_id) }
  const { status } = now.state
  const { times } = now
  times.waiting_since =
    status === 'opened' || status === 'in-progress' ? (times.waiting_since ?? told.at) : null
  if (status !== 'pending') times.pending_since = null
  else if (before !== 'pending' || told.kind === 'comment') times.pending_since = told.at
  times.closed_at = status === 'closed' ? (times.closed_at ?? told.at) : null
  now.state.closed_at = times.closed_at?.getTime() ?? null
  if (told.kind === 'comment' && told.author_id !== customer_id) times.first_reply_at ??= told.at
  if (told.kind === 'event' && told.act === 'topic_changed') now.topic = told.topic
  if (told.kind === 'event' && told.act === 'priority_changed') now.priority = told.priority
}

function after(state: TicketState, told: TicketSeedEvent, customer_id: string): Partial<TicketState> {
  const by_staff = told.author_id !== customer_id
  if (told.kind === 'comment')
    return afterReply(state, by_staff ? { role: 'staff', user_id: told.author_id } : { role: 'customer' })
  if (told.kind === 'note') return {}
  if (told.act === 'taken') return afterAssigning(state, told.author_id)
  if (told.act === 'handed_over') return afterAssigning(state, told.to.id)
  if (told.act === 'given_back') return afterUnassigning()
  if (told.act === 'reopened') return afterReopening(state)
  return told.act === 'closed' ? { status: 'closed' } : {}
}

function lineOf({ staff_seq, customer_seq }: Now, told: TicketSeedEvent, customer_id: string): SeedLine {
  const { author_id, at } = told
  return {
    kind: told.kind,
    author_id,
    created_at: at.toISOString(),
    seq: staff_seq,
    customer_seq: told.kind === 'note' ? null : customer_seq,
    by_staff: author_id !== customer_id,
    text: told.kind === 'event' ? '' : told.text,
    event: told.kind === 'event' ? { code: told.act, params: paramsOf(told) } : null,
    attachments: [],
    by_mail: told.kind === 'comment' && told.quoted !== undefined,
    redacted: told.kind === 'comment' && told.removed ? redactedBy(told.removed) : null,
    secret_id: null,
  }
}

const redactedBy = ({ by, at }: { by: string; at: Date }): Redacted => ({
  at: at.toISOString(),
  by,
  by_staff: true,
  text: true,
  files: 0,
})

/** Returns the attachments of a line, tied to the ticket as for any message. */
async function attachmentsOf(
  app: App,
  tx: Tx,
  { one, customer_id, ticket_id }: { one: TicketSeedEvent; customer_id: string; ticket_id: bigint },
): Promise<Attachment[]> {
  if (one.kind === 'event') return []
  return attach(app, tx, {
    uploader_id: one.author_id,
    customer_id,
    ticket_id,
    note: one.kind === 'note',
    by_helper: false,
    ids: one.attachment_ids ?? [],
  })
}

function paramsOf(told: Extract<TicketSeedEvent, { kind: 'event' }>): Record<string, string> {
  if (told.act === 'handed_over') return { name: told.to.name }
  if (told.act === 'priority_changed') return { priority: told.priority }
  return told.act === 'topic_changed' ? { topic: told.topic } : {}
}
