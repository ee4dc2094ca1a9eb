import { hostNames } from '#features/hosts/server/hosts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { oneLine } from '#features/support/tickets/rules.ts'
import { must } from '#foundation/must.ts'
import type { Held } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { lastCommentsOf } from './message-queries.ts'
import { ownTickets, personOf } from './ticket-scope.ts'
import { previousOf, ticketsOf, type TicketRow } from './queries.ts'
import { mergesOf } from './merge-queries.ts'
import { isSpam } from './spam-queries.ts'
import { unreadOf } from './unread-queries.ts'

type Db = App['db']
/** `config` holds the name of the operator; `acting` holds the grant of a helper who reads. */
type From = Pick<App, 'config' | 'acting'>

/** True if the viewer acts as staff: every user is the customer of their own tickets. */
export const isStaffView = (ticket: Pick<TicketRow, 'user_id'>, actor: Actor): boolean =>
  actor.is_staff && ticket.user_id !== actor.user_id

/** Returns tickets as one reader may see them (staff see their own tickets as customers), each with its unread count. */
export async function serializeTickets(
  app: From,
  db: Db,
  rows: readonly TicketRow[],
  actor: Actor,
  held: readonly Held[] = app.acting ? [app.acting] : [],
): Promise<Ticket[]> {
  const heldFor = new Map(held.map((one) => [one.account.id, one]))
  const staff = rows.filter((row) => isStaffView(row, actor))
  const own = rows.filter((row) => !isStaffView(row, actor))
  const user_id = personOf(app, actor)
  const [names, hosts, latest, previous, merged, unreadByStaff, unread] = await Promise.all([
    displayNames(
      app,
      db,
      rows.flatMap(({ assignee_id, user_id: customer }) => [assignee_id, customer]),
    ),
    hostNames(
      db,
      rows.flatMap(({ host_public_id }) => host_public_id ?? []),
    ),
    lastCommentsOf(
      db,
      rows.map(({ id }) => id),
    ),
    previousOf(
      db,
      rows.flatMap(({ previous_id }) => previous_id ?? []),
    ),
    mergesOf(db, rows),
    unreadOf(
      db,
      staff.map(({ id }) => id),
      { user_id, staff: true },
    ),
    unreadOf(
      db,
      own.map(({ id }) => id),
      { user_id, staff: false },
    ),
  ])
  return rows.map((row) => {
    const asStaff = isStaffView(row, actor)
    const last = latest.get(row.id)
    return {
      ...plainFields(row),
      due_at: row.due_at?.toISOString() ?? null,
      host_name: hostNameOf(row, hosts),
      last_message: last ? { ...last, text: oneLine(last.text) } : null,
      assignee: assigneeOf(row, names, asStaff),
      ...(asStaff ? { customer: names.of(row.user_id), spam: isSpam(row), ...forStaff(row) } : {}),
      account: accountOf(heldFor.get(row.user_id)),
      ...merged.get(row.id),
      previous: row.previous_id === null ? null : (previous.get(row.previous_id) ?? null),
      unread: (asStaff ? unreadByStaff : unread).get(row.id) ?? 0,
      last_seq: asStaff ? row.staff_seq : row.customer_seq,
    }
  })
}

/** The fields that every reader of a ticket sees alike. */
export const plainFields = (row: TicketRow) => ({
  id: row.public_id,
  number: row.number,
  subject: row.subject,
  topic: row.topic,
  priority: row.priority,
  status: row.status,
  host_id: row.host_public_id,
  created_at: row.created_at.toISOString(),
  last_message_at: row.last_message_at.toISOString(),
  waiting_since: row.waiting_since?.toISOString() ?? null,
  first_reply_at: row.first_reply_at?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
})

/** The fields that its customer never sees. */
export const forStaff = ({ tags, status, snoozed_at, snoozed_until }: TicketRow) => ({
  tags,
  snoozed:
    snoozed_at === null || status === 'closed'
      ? null
      : { since: snoozed_at.toISOString(), until: snoozed_until?.toISOString() ?? null },
})

/** Null for a deleted host, and for a host that went to another account: the ticket stays with the old account. */
function hostNameOf(
  { host_public_id, user_id }: TicketRow,
  hosts: Awaited<ReturnType<typeof hostNames>>,
): string | null {
  const host = host_public_id === null ? undefined : hosts.get(host_public_id)
  return host?.user_id === user_id ? host.name : null
}

const assigneeOf = ({ assignee_id }: TicketRow, names: Names, asStaff: boolean): Ticket['assignee'] =>
  assignee_id === null ? null : asStaff ? names.of(assignee_id) : names.ofStaff(assignee_id)

type Names = Awaited<ReturnType<typeof displayNames>>

const accountOf = (held: Held | undefined): Ticket['account'] =>
  held ? { ...held.account, role: held.role } : null

/** Returns up to `limit` tickets of a customer for staff, the latest message first; spam is left out. */
export async function latestTickets(
  app: From,
  db: Db,
  user_id: string,
  actor: Actor,
  limit: number,
): Promise<Ticket[]> {
  const all = { tab: undefined, host_public_id: undefined, before: undefined, withoutSpam: true }
  const scopes = [ownTickets(user_id)]
  return serializeTickets(app, db, await ticketsOf(db, { ...all, scopes, limit }), actor)
}

export async function serializeTicket(app: From, db: Db, row: TicketRow, actor: Actor): Promise<Ticket> {
  const [ticket] = await serializeTickets(app, db, [row], actor)
  return must(ticket)
}
