import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { messagesOf, type MessageRow } from './message-queries.ts'
import { ticketsOf, type TicketRow } from './queries.ts'
import { serializeMessages } from './serialize-messages.ts'
import { ownTickets } from './ticket-scope.ts'

/** The customer's conversations, newest ticket first. Internal notes are left out. */
export async function conversationsOf(app: App, user_id: string): Promise<object[]> {
  const conversations: object[] = []
  for await (const ticket of allTickets(app.db, user_id)) {
    const { number, subject, topic, priority, status, created_at, closed_at } = ticket
    const messages = await serializeMessages(app, app.db, await allMessages(app.db, ticket), { staff: false })
    conversations.push({ number, subject, topic, priority, status, created_at, closed_at, messages })
  }
  return conversations
}

const PAGE = 100

async function* allTickets(db: App['db'], user_id: string): AsyncGenerator<TicketRow> {
  const all = { scopes: [ownTickets(user_id)], tab: undefined, host_public_id: undefined, limit: PAGE }
  for (let before: { at: string; id: string } | undefined; ;) {
    const rows = await ticketsOf(db, { ...all, before })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    before = { at: last.last_message_at.toISOString(), id: String(last.id) }
  }
}

async function allMessages(db: App['db'], ticket: TicketRow): Promise<MessageRow[]> {
  const all: MessageRow[] = []
  for (let after = 0; ;) {
    const rows = await messagesOf(db, ticket.id, { staff: false }, { before: undefined, after, limit: PAGE })
    all.push(...rows)
    if (rows.length < PAGE) return all
    after = must(must(rows.at(-1)).customer_seq)
  }
}
