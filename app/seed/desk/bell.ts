import { paths } from '#features/paths.ts'
import { ticketThing } from '#features/notifications/server/notifications.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { timeBefore, type Ids } from '../ticket-events.ts'
import type { Seeded } from '../ticket-story.ts'
import { insertPastNews, type PastNews } from './desk-queries.ts'

type Told = Pick<PastNews, 'kind' | 'thing' | 'link' | 'facts'>

/** Fills the bells of Anna, Olivia and Jonas as far as the tickets tell. */
export async function seedBell(tx: Tx, ids: Ids, seeded: Seeded): Promise<void> {
  const now = new Date()
  const about = (key: string, linkTo: (id: string) => string) => {
    const ticket = seeded(key)
    return {
      thing: ticketThing(ticket.public_id),
      link: linkTo(ticket.public_id),
      facts: { number: String(ticket.number) },
    }
  }
  const reply = (key: string): Told => ({ kind: 'reply', ...about(key, paths.ticket) })
  const written = (key: string): Told => ({ kind: 'reply', ...about(key, paths.deskTicket) })
  const mentioned = (key: string, by: string): Told => {
    const { facts, ...ticket } = about(key, paths.deskTicket)
    return { kind: 'mention', ...ticket, facts: { ...facts, by } }
  }
  const given = (key: string, by: string): Told => ({ ...mentioned(key, by), kind: 'assigned' })
  const rung = (
    who: keyof Ids,
    ago: string,
    told: Told,
    { count = 1, read }: { count?: number; read?: string } = {},
  ): PastNews => ({
    user_id: ids[who],
    ...told,
    count,
    happened_at: timeBefore(now, ago),
    read_at: read === undefined ? null : timeBefore(now, read),
  })
  await insertPastNews(tx, [
    rung('anna', '1d 1h 20m', reply('restore')),
    rung('anna', '2d 8h', reply('moving')),
    rung('anna', '1d 4h', reply('archive'), { read: '1d 2h' }),
    rung('anna', '1d 2h 22m', reply('slow'), { count: 2, read: '1d 2h' }),
    rung('olivia', '4h 40m', mentioned('access', 'Jonas Keller')),
    rung('olivia', '1d 4h 10m', written('archive'), { read: '1d 4h 5m' }),
    rung('olivia', '3d 2h', written('late')),
    rung('jonas', '18m', written('slow')),
    rung('jonas', '52m', written('access')),
    rung('jonas', '2d 2h 55m', given('slow', 'Olivia Grant'), { read: '2d 2h 40m' }),
    rung('jonas', '3d 3h 4m', mentioned('slow', 'Olivia Grant'), { read: '3d 2h 50m' }),
  ])
}
