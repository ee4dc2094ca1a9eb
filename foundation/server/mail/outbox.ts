import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { jobKind, type JobClass } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { seal, unseal } from '#foundation/server/keys.ts'
import { findUser, type UserRow } from '#foundation/server/session/session.ts'
import { render, type Content } from './layout.ts'
import { mailContext, type MailTemplate, type MailLocale } from './mail-template.ts'
import { insertMail, type NewMail } from './queries.ts'

type QueuedMail<Values> = {
  to: string
  locale: MailLocale
  template: MailTemplate<Values>
  values: Values
  /** Kept with the mail until it is sent. */
  attachments?: readonly Attachment[]
}

export type Attachment = { filename: string; type: string; content: Buffer }

/** Queues a mail to an account, at its primary address and in its language. A closed account gets none, nor does a robot. */
export async function mailTo<Values>(...mail: MailTo<Values>): Promise<void> {
  await mailIdentified(...mail)
}

/** Does what `mailTo` does, and returns the id of the mail and its address; undefined where there is none. */
export async function mailIdentified<Values>(
  ...[app, tx, user_id, template, values]: MailTo<Values>
): Promise<{ id: string; to: string } | undefined> {
  const user = await findUser(tx, user_id)
  if (!(user?.is_active && user.kind === 'person')) return undefined
  const { email: to, locale } = user
  return { id: await queue(app, tx, user, { to, locale, template, values }), to }
}

type MailTo<Values> = [
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<Values>,
  values: NoInfer<Values>,
]

/** Queues a mail to any address; `user_id` is the account that the mail is about, null where there is none. Returns the id of the mail. */
export async function enqueueMail<Values>(
  app: App,
  tx: Tx,
  { user_id, ...mail }: QueuedMail<Values> & { user_id: string | null },
): Promise<string> {
  return queue(app, tx, user_id === null ? undefined : await findUser(tx, user_id), mail)
}

/**
 * Queues a mail in the same transaction as the action it reports: without a commit there is no mail, and with one it will be sent whatever
 * happens to the process. Its text is made at once, so that a later release of the program cannot change it. Without SMTP_URL the mail is
 * kept, to be read at /dev/mail/. It greets the person by name, and its times are in the person's time zone.
 */
async function queue<Values>(
  app: App,
  tx: Tx,
  user: UserRow | undefined,
  { to, locale, template, values, attachments = [] }: QueuedMail<Values>,
): Promise<string> {
  const name = (user && (await app.firstNameOf?.(tx, user.id))) ?? ''
  const context = mailContext(app.config, locale, user?.time_zone ?? app.config.timeZone)
  const content = render(template.write(values, context), { ...context, config: app.config, name })
  const row = {
    user_id: user?.id ?? null,
    to_address: to,
    letter: template.kind,
    class: template.class,
    locale,
  }
  return store(app, tx, row, { ...content, attachments: attachments.map(asText) })
}

/** Queues a mail that holds no secret once more, word by word, as a mail of its own. Returns its id. */
export async function sendAgain(app: App, tx: Tx, mail: AgainMail, to_address: string): Promise<string> {
  const { id, content, user_id, letter, class: its, locale } = mail
  const row = { user_id, to_address, letter, class: its, locale }
  return store(app, tx, row, openContent(app, id, content))
}

type AgainMail = Omit<NewMail, 'state' | 'to_address'>

async function store(
  app: App,
  tx: Tx,
  row: Omit<NewMail, 'id' | 'state' | 'content'>,
  content: Stored,
): Promise<string> {
  assertAddress(row.to_address)
  const id = randomUUID()
  const state = app.config.smtpUrl ? 'owed' : 'kept'
  await insertMail(tx, { ...row, id, state, content: sealContent(app, id, content) })
  if (state === 'owed') enqueue(tx, sendMail(row.class), { id }, { key: `mail:${id}` })
  return id
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

/** Returns all that is kept of a mail of security once it was sent: no key is in a subject. */
export const subjectAlone = (app: App, id: string, { subject }: Content) =>
  sealContent(app, id, { subject, text: '', html: '', attachments: [] })

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
