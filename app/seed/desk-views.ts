import { insertView } from '#features/support/desk/server/view-queries.ts'
import { keepTags, setSnooze, setTags } from '#features/support/tickets/server/act-queries.ts'
import { ticketsOf } from '#features/support/tickets/server/queries.ts'
import { ownTickets } from '#features/support/tickets/server/ticket-scope.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Ids } from './ticket-events.ts'

const DAY_ms = 86_400_000

/** Tags tickets of the example customers, lets one sleep for two days, and saves views of the list. */
export async function seedViews(tx: Tx, ids: Ids): Promise<void> {
  await keepTags(tx, [...new Set(Object.values(tags).flat())])
  const all = { tab: undefined, host_public_id: undefined, before: undefined, limit: 100 }
  const tickets = await ticketsOf(tx, { ...all, scopes: [ownTickets(ids.anna), ownTickets(ids.mikhail)] })
  for (const { id, subject } of tickets) {
    const given = tags[subject]
    if (given) await setTags(tx, id, given)
    if (subject === ASLEEP) await setSnooze(tx, id, new Date(Date.now() + 2 * DAY_ms))
  }
  for (const { by, ...view } of views) await insertView(tx, { ...view, author_id: ids[by] })
}

const ASLEEP = 'How was moving the shop?'

const tags: Readonly<Record<string, readonly string[]>> = {
  'My bank pulled a payment back': ['payment', 'by phone'],
  'Не пришёл банковский перевод': ['payment'],
  'Slow every night between two and three': ['vip', 'disk'],
  'Invoice without the name of my company': ['vip'],
  'Скидка при оплате за год?': ['discount'],
  'Агент не подключается после переезда': ['migration'],
}

const views = [
  { by: 'olivia', name: 'VIP', shared: true, filter: { tag: 'vip' } },
  {
    by: 'olivia',
    name: 'Technical, unassigned',
    shared: true,
    filter: { tab: 'incoming', topic: 'technical' },
  },
  { by: 'olivia', name: 'Zahlungen', shared: false, filter: { tag: 'payment' } },
  { by: 'jonas', name: 'Переезды', shared: false, filter: { tag: 'migration' } },
] as const
