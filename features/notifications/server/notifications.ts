import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/notifications/contract.ts'
import { kindsFor } from '#features/notifications/rules.ts'
import { subjectsFor } from '#features/support/server/support.ts'
import { tellPages } from './notify.ts'
import * as queries from './queries.ts'

/** Answers `GET /api/notifications/`. Subjects of tickets are read now: what is kept holds no words of anybody. */
export const list = handler(contract.listNotifications, async ({ app, actor, query }) => {
  const [at, id] = placeIn(query.cursor, [placeKinds.time, placeKinds.number]) ?? []
  const rows = await queries.notificationsOf(app.db, actor.user_id, { at, id, limit: query.limit + 1 })
  const page = pageFrom(
    rows,
    query.limit,
    (row) => [row.happened_at.toISOString(), String(row.id)],
    (row) => row,
  )
  const subjects = await subjectsFor(app.db, actor, page.items.flatMap(ticketOf))
  const items = page.items.map((row): contract.Notification => {
    const { kind, count, link, facts, happened_at, is_read } = row
    const [ticket] = ticketOf(row)
    return {
      id: Number(row.id),
      kind,
      count,
      link,
      facts,
      subject: (ticket === undefined ? undefined : subjects.get(ticket)) ?? null,
      happened_at: happened_at.toISOString(),
      is_read,
    }
  })
  return { status: 200, body: { ...page, items } }
})

const TICKET = 'ticket:'

/** The name of a ticket as a thing of what happened. */
export const ticketThing = (chat_id: string): string => TICKET + chat_id

const ticketOf = ({ thing }: queries.NotificationRow): string[] =>
  thing.startsWith(TICKET) ? [thing.slice(TICKET.length)] : []

/** Answers `GET /api/notifications/unread/`. */
export const unread = handler(contract.getUnread, async ({ app, actor }) => {
  return { status: 200, body: await queries.unreadOf(app.db, actor.user_id) }
})

/** Answers `POST /api/notifications/read/`. Other devices are told only where something changed. */
export const read = handler(contract.readNotifications, ({ app, actor: { user_id }, body }) =>
  transaction(app, { userId: user_id }, async (tx) => {
    const marked = await queries.markRead(tx, user_id, body.link)
    const unread = await queries.unreadOf(tx, user_id)
    if (marked > 0) await tellPages(tx, [user_id], unread)
    return { status: 200, body: unread } as const
  }),
)

type Reader = { user_id: string; staff_roles: readonly string[] }

/** Answers `GET /api/notifications/choices/`. */
export const getChoices = handler(contract.getNotificationChoices, async ({ app, actor }) => {
  return { status: 200, body: await choicesReply(app.db, actor) }
})

/** Answers `PATCH /api/notifications/choices/`. */
export const changeChoice = handler(contract.changeNotificationChoice, ({ app, actor, body }) => {
  const { user_id } = actor
  const { kind, bell, push } = body
  return transaction(app, { userId: user_id }, async (tx) => {
    const before = await queries.lockChoices(tx, user_id)
    const silent = bell === undefined ? before.silent : switched(before.silent, kind, bell)
    const unpushed = push === undefined ? before.unpushed : switched(before.unpushed, kind, push)
    await queries.saveChoices(tx, user_id, { silent, unpushed })
    return { status: 200, body: await choicesReply(tx, actor) } as const
  })
})

const switched = <Kind>(off: readonly Kind[], kind: Kind, wanted: boolean): Kind[] => {
  const others = off.filter((one) => one !== kind)
  return wanted ? others : [...others, kind]
}

async function choicesReply(db: App['db'], { user_id, staff_roles }: Reader) {
  const { silent, unpushed } = (await queries.choicesOf(db, user_id)) ?? USUAL
  const items = kindsFor(staff_roles.length > 0).map((kind): contract.Choice => ({
    kind,
    bell: !silent.includes(kind),
    push: !unpushed.includes(kind),
  }))
  return { items }
}

const USUAL: queries.ChoicesRow = { silent: [], unpushed: ['announcement'] }
