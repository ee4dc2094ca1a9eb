import type { App } from '#foundation/server/app.ts'
import type { PastMail } from './history-queries.ts'
import { openContent } from './outbox.ts'

export { findMail, forgetMailsOf, mailsOf, type PastMail } from './history-queries.ts'
export { sendAgain } from './outbox.ts'

/**
 * Returns why a mail cannot be sent again, or undefined. All of the class security count as secret: their links open accounts, and a notice
 * that comes twice says that it happened twice.
 */
export function hindranceOf({
  class: its,
  state,
  content,
}: PastMail): 'secret' | 'waiting' | 'forgotten' | undefined {
  if (its === 'security') return 'secret'
  if (state === 'owed' || state === 'sending') return 'waiting'
  return content === null ? 'forgotten' : undefined
}

/** Subject and text of a mail: the text null where it is secret, both where they are no longer kept. */
export function wordsOf(app: App, { id, class: its, content }: PastMail) {
  const kept = content === null ? undefined : openContent(app, id, content)
  return { subject: kept?.subject ?? null, text: (its === 'security' ? undefined : kept?.text) ?? null }
}

/** True for a letter with news, which its reader may stop: it goes out again only while they want such letters. */
export function isStoppable(app: App, { id, content }: PastMail): boolean {
  const kept = content === null ? undefined : openContent(app, id, content)
  return kept?.unsubscribe !== undefined && kept.such === undefined
}
