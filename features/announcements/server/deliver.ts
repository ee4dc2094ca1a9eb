import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { ANNOUNCEMENT_CHANGED, announcementDelivered } from '#features/announcements/contract.ts'
import { inAny } from '#features/announcements/rules.ts'
import { newsKeyOf } from '#features/profile/server/profile.ts'
import { announcementEnded, announcementMail } from './mails.ts'
import * as queries from './queries.ts'
import type { PublishedRevision, Reader } from './queries.ts'

export const DELIVER = jobKind('deliver_announcement', 'rest')

const AT_ONCE = 1000

/**
 * Notifies the readers of an announcement of its latest change: by a live event, and by mail if the announcement asks for mails. Each
 * thousand readers are one transaction. A job that was killed begins again, and no reader gets a second mail of the same revision.
 */
export async function deliver(app: App, { id }: { id: string }): Promise<void> {
  for (let after: string | undefined; ;) {
    const from = after
    const readers = await transaction(app, 'system', async (tx) => {
      const published = await queries.lastPublished(tx, id)
      if (!published) return []
      const next = await queries.readersAfter(tx, { id, ...published }, { after: from, limit: AT_ONCE })
      for (const { user_id } of next) await publish(tx, user_id, { type: ANNOUNCEMENT_CHANGED })
      if (published.status === 'published') await tellAll(app, tx, id, next)
      if (published.status === 'published' && published.mail) await mailAll(app, tx, id, published, next)
      return next
    })
    if (readers.length < AT_ONCE) break
    after = readers.at(-1)?.user_id
  }
  while ((await mailEnd(app, id)) === AT_ONCE);
}

/**
 * Mails the end of an incident or of maintenance to accounts that were mailed its beginning, whoever its readers are by now. Returns their
 * number. The words of the resolution are left out: one member of staff alone would mail them to everybody.
 */
async function mailEnd(app: App, id: string): Promise<number> {
  return transaction(app, 'system', async (tx) => {
    const published = await queries.lastPublished(tx, id)
    if (!published?.ended_at || published.kind === 'news') return 0
    const { kind, title, starts_at, ended_at } = published
    const how = kind === 'incident' ? 'resolved' : starts_at && starts_at < ended_at ? 'ended' : 'called_off'
    const readers = await queries.insertEndMails(tx, id, AT_ONCE)
    await atOnce(
      readers.map(({ user_id, email: to, locale }) =>
        enqueueMail(app, tx, {
          user_id,
          to,
          locale,
          template: announcementEnded,
          values: { how, title: inAny(title)[locale], ended_at },
        }),
      ),
    )
    return readers.length
  })
}

async function tellAll(app: App, tx: Tx, announcement_id: string, readers: readonly Reader[]): Promise<void> {
  const user_ids = readers.map(({ user_id }) => user_id)
  await emit(app, tx, announcementDelivered, { announcement_id, user_ids })
}

async function mailAll(
  app: App,
  tx: Tx,
  id: string,
  published: PublishedRevision,
  readers: readonly Reader[],
): Promise<void> {
  const { revision, kind, starts_at, ends_at } = published
  const mailed = readers.filter(({ is_mailed }) => is_mailed)
  const owed = await queries.insertMails(
    tx,
    { id, revision },
    mailed.map(({ user_id }) => user_id),
  )
  const values = { kind, revision, starts_at, ends_at }
  await atOnce(
    mailed
      .filter(({ user_id }) => owed.has(user_id))
      .map(({ user_id, email: to, locale }) =>
        enqueueMail(app, tx, {
          user_id,
          to,
          locale,
          template: announcementMail,
          values: {
            ...values,
            title: published.title[locale],
            text: published.text[locale],
            news_key: kind === 'news' ? newsKeyOf(app.keys, user_id) : undefined,
          },
        }),
      ),
  )
}
