import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { ANNOUNCEMENT_CHANGED } from '#features/announcements/contract.ts'
import { announcementMail } from './mail-templates.ts'
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
      const next = await queries.readersAfter(tx, published.scope, { after: from, limit: AT_ONCE })
      for (const { user_id } of next) await publish(tx, user_id, { type: ANNOUNCEMENT_CHANGED })
      if (published.status === 'published' && published.mail) await mailAll(app, tx, id, published, next)
      return next
    })
    if (readers.length < AT_ONCE) return
    after = readers.at(-1)?.user_id
  }
}

async function mailAll(
  app: App,
  tx: Tx,
  id: string,
  published: PublishedRevision,
  readers: readonly Reader[],
): Promise<void> {
  const { revision, kind, starts_at, ends_at } = published
  const proven = readers.filter(({ is_proven }) => is_proven)
  const owed = await queries.insertMails(
    tx,
    { id, revision },
    proven.map(({ user_id }) => user_id),
  )
  const values = { kind, revision, starts_at, ends_at }
  await atOnce(
    proven
      .filter(({ user_id }) => owed.has(user_id))
      .map(({ user_id, email: to, locale }) =>
        enqueueMail(app, tx, {
          user_id,
          to,
          locale,
          template: announcementMail,
          values: { ...values, title: published.title[locale], text: published.text[locale] },
        }),
      ),
  )
}
