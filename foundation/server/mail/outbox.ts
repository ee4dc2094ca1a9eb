import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { jobKind, type JobClass } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { seal, unseal } from '#foundation/server/keys.ts'
import { timeZoneOf } from '#foundation/server/session/session.ts'
import { render, type Content } from './layout.ts'
import { mailContext, type MailTemplate, type MailLocale } from './mail-template.ts'
import { insertMail } from './queries.ts'

export type QueuedMail<Values> = {
  /** The account that the mail is about; null where there is none. */
  user_id: string | null
  to: string
  locale: MailLocale
  template: MailTemplate<Values>
  values: Values
  /** Kept with the mail until it is sent. */
  attachments?: readonly Attachment[]
}

export type Attachment = { filename: string; type: string; content: Buffer }

/**
 * Queues a mail in the same transaction as the action it reports: without a commit there is no mail, and with one it will be sent whatever
 * happens to the process. Its text is made at once, so that a later release of the program cannot change it. Without SMTP_URL the mail is
 * kept, to be read at /dev/mail/. Returns the id of the mail.
 */
export async function enqueueMail<Values>(
  app: App,
  tx: Tx,
  { user_id, to, locale, template, values, attachments = [] }: QueuedMail<Values>,
): Promise<string> {
  assertAddress(to)
  const id = randomUUID()
  const reader = await readerOf(app, tx, user_id)
  const context = mailContext(app.config, locale, reader.time_zone)
  const content = render(template.write(values, context), { ...context, config: app.config, ...reader })
  const state = app.config.smtpUrl ? 'owed' : 'kept'
  await insertMail(tx, {
    id,
    user_id,
    to_address: to,
    letter: template.kind,
    class: template.class,
    locale,
    state,
    content: sealContent(app, id, { ...content, attachments: attachments.map(asText) }),
  })
  if (state === 'owed') await enqueue(tx, sendMail(template.class), { id }, { key: `mail:${id}` })
  return id
}

/** The person that a mail greets, and the time zone of its times. */
async function readerOf(
  app: App,
  tx: Tx,
  user_id: string | null,
): Promise<{ name: string; time_zone: string }> {
  if (user_id === null) return { name: '', time_zone: app.config.timeZone }
  const [name = '', time_zone] = await Promise.all([app.firstNameOf?.(tx, user_id), timeZoneOf(tx, user_id)])
  return { name, time_zone: time_zone ?? app.config.timeZone }
}

/** The job that sends a mail has the class of its template (rule 48). */
export const sendMail = (its: JobClass) => jobKind('send_mail', its)

const asText = ({ content, ...attachment }: Attachment) => ({
  ...attachment,
  content: content.toString('base64'),
})

/** Seals the content of a mail: mails hold keys that reset passwords, and a dump of the database must not open accounts. */
const sealContent = (app: App, id: string, content: Stored) =>
  seal(app.keys, JSON.stringify(content), `mail:${id}`)

/** The content as stored in the row. */
export type Stored = Content & {
  attachments: readonly { filename: string; type: string; content: string }[]
}

// The stored text was sealed by `sealContent`: nobody else has the key.
export function openContent(app: App, id: string, sealed: string): Stored
export function openContent(app: App, id: string, sealed: string): unknown {
  const content: unknown = JSON.parse(unseal(app.keys, sealed, `mail:${id}`))
  return content
}

/** Returns a stored content, sealed again with the present key. */
export const resealContent = (app: App, id: string, sealed: string) =>
  sealContent(app, id, openContent(app, id, sealed))

/**
 * Throws unless `to` is exactly one address. The attack is a line break or a second address in a form field, which would make this server
 * send spam.
 */
function assertAddress(to: string): void {
  if (!/^[^\s@"(),:;<>[\\\]\p{C}]+@[^\s@"(),:;<>[\\\]\p{C}]+$/u.test(to) || [...to].length > 320)
    throw new Error('not one mail address')
}
