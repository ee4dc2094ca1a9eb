import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { NOTIFICATIONS_CHANGED } from '#features/notifications/contract.ts'
import { insertNews, type News, type Unread } from './queries.ts'

/** `only` names one browser, which is tried again for the `tries`th time. */
export type PushPayload = { user_id: string; notification: string; only?: string; tries?: number }

export const PUSH = jobKind('send_push', 'replies')
export const PUBLISH_NEWS = jobKind('publish_notifications', 'rest')

/** Browsers are told after so many seconds: who has the page open has read it by then. */
const PUSHED_AFTER_s = 5

/**
 * Writes what happened for the people whom it concerns, in the transaction of the act, and tells their open pages. With `isMoney` a job
 * tells them: a NOTIFY in a transaction that moves money would make commits take turns.
 */
export async function notify(
  tx: Tx,
  people: readonly string[],
  news: News,
  { isMoney = false }: { isMoney?: boolean } = {},
): Promise<void> {
  if (people.length === 0) return
  const told = await insertNews(tx, people, news)
  if (told.length === 0) return
  const ids = told.map(({ person }) => person)
  if (isMoney) enqueue(tx, PUBLISH_NEWS, { people: ids })
  else await tellPages(tx, ids, { link: news.link })
  for (const { person, notification, is_pushed } of told) {
    const payload: PushPayload = { user_id: person, notification: String(notification) }
    if (is_pushed) enqueue(tx, PUSH, payload, { key: `push:${notification}`, after_s: PUSHED_AFTER_s })
  }
}

/**
 * Tells the open pages of these people that their bell has changed: by news that lead to `link`, or so that this much is unread, which
 * spares their pages the question.
 */
export async function tellPages(
  tx: Tx,
  people: readonly string[],
  what: { link?: string } | Unread = {},
): Promise<void> {
  for (const person of people) await publish(tx, person, { type: NOTIFICATIONS_CHANGED, ...what })
}

export const publishNews = (app: App, { people }: { people: readonly string[] }): Promise<void> =>
  transaction(app, 'system', (tx) => tellPages(tx, people))
