import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { JobClass } from '#foundation/server/jobs/classes.ts'
import { openContent, subjectAlone } from './outbox.ts'
import { deleteMail, mailsSince, setContent } from './queries.ts'

/**
 * Forgets what the mails of a class say since a moment, if their text holds these words: of those that were sent the subject stays, the
 * others are not sent any more. Returns how many were stopped. The contents are sealed, so each mail is opened to see.
 */
export async function redactMails(
  app: App,
  tx: Tx,
  { class: its, since, holding }: { class: JobClass; since: Date; holding: string },
): Promise<number> {
  let stopped = 0
  for (const { id, state, content } of await mailsSince(tx, its, since)) {
    const mail = openContent(app, id, content)
    if (!mail.text.includes(holding)) continue
    if (state === 'sent' || state === 'kept') await setContent(tx, id, subjectAlone(app, id, mail))
    else {
      await deleteMail(tx, id)
      stopped += 1
    }
  }
  return stopped
}
