import * as z from 'zod/mini'
import { messageOf } from '#foundation/server/error-code.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { emit } from '#foundation/server/events.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { logUnavailable } from '#foundation/server/operation/outage-log.ts'
import { mailRefused } from './refused.ts'
import { openContent, sendMail, subjectAlone } from './outbox.ts'
import * as queries from './queries.ts'
import { endWaiting, type WaitingMail } from './waiting-queries.ts'
import { send } from './transport.ts'

/**
 * Sends one mail of the outbox. Exactly once, as far as SMTP can: one process has the lease, and the row is `sent`
 * right after the server's 250. If the process dies between the two, or the server's answer is lost, the mail goes out
 * again, with the same Message-ID, by which mail programs and servers recognise it.
 */
export async function deliver(app: App, { id }: { id: string }, process_id: string): Promise<void> {
  const mail = await transaction(app, 'system', (tx) => queries.leaseMail(tx, id, process_id, lease_s))
  if (!mail) return
  if (await isSuspended(app, app.db, mail))
    return giveUp(app, mail, 'mails to this address came back; its owner has not asked to try again')
  let instead: string
  try {
    const content = openContent(app, id, mail.content)
    instead = subjectAlone(app, id, content)
    await send(app.config, {
      ...content,
      id,
      to: mail.to_address,
      created_at: mail.created_at,
    })
  } catch (error) {
    await untilDone(app, id, () => noteFailure(app, mail, smtpErrorOf(error)))
    return
  }
  await untilDone(app, id, () =>
    transaction(app, 'system', async (tx) => {
      await queries.markSent(tx, id, instead)
      await sendNow(tx, await endWaiting(tx))
    }),
  )
  app.log.info({ mail_id: id, letter: mail.letter, attempts: mail.attempts }, 'mail sent')
}

// Longer than it can take to send a mail and to record the outcome.
export const lease_s = 180
// The pauses after each failure, in seconds: eight tries over some 23 hours.
export const pauses_s = [30, 120, 600, 1800, 5400, 18_000, 57_600]
// Tries that began because the server seemed to be back give no mail up before its time.
const GIVEN_UP_MS = 23 * 3_600_000
const LAST_PAUSE_S = 3600

const smtpError = z.object({
  message: z.string(),
  code: z.optional(z.string()),
  command: z.optional(z.string()),
  responseCode: z.optional(z.number()),
})
type SmtpError = z.output<typeof smtpError>

/** Returns the fields that nodemailer adds to its errors; of any other error only the message. */
function smtpErrorOf(error: unknown): SmtpError {
  const known = smtpError.safeParse(error)
  return known.success ? known.data : { message: messageOf(error) }
}

/** True for an address from which a mail came back. Mails about security are tried all the same: somebody may wait for a key. */
export const isSuspended = async (
  app: App,
  db: App['db'],
  { class: its, to_address }: Pick<queries.LeasedMail, 'class' | 'to_address'>,
): Promise<boolean> => its !== 'security' && (await app.isSuspended?.(db, to_address)) === true

async function giveUp(app: App, { id, letter }: queries.LeasedMail, reason: string): Promise<void> {
  await transaction(app, 'system', (tx) => queries.markDead(tx, id, reason))
  app.log.info({ mail_id: id, letter, reason }, 'mail not sent')
}

async function noteFailure(app: App, mail: queries.LeasedMail, error: SmtpError): Promise<void> {
  const { id, letter, attempts, user_id } = mail
  const reason = `${error.responseCode ?? error.code ?? ''} ${error.message}`.trim().slice(0, 500)
  const awaits = isOfServer(error)
  const isYoung = Date.now() - mail.created_at.getTime() < GIVEN_UP_MS
  const pause_s = isFinal(error)
    ? undefined
    : (pauses_s[attempts - 1] ?? (awaits && isYoung ? LAST_PAUSE_S : undefined))
  await transaction(app, 'system', async (tx) => {
    if (pause_s !== undefined) {
      const after_s = Math.round(pause_s * (0.9 + Math.random() * 0.2))
      await queries.putOff(tx, id, { after_s, error: reason, awaits })
      enqueue(tx, sendMail(mail.class), { id }, { after_s, key: `mail:${id}` })
    } else {
      await queries.markDead(tx, id, reason)
      await recordAction(tx, { user_id, act: 'mail.dead', detail: { mail_id: id, letter, attempts, reason } })
      // The server may refuse a mail for what stands in it; what it says to RCPT is about the address.
      if (isFinal(error) && error.command === 'RCPT TO')
        await emit(app, tx, mailRefused, { mail_id: id, user_id, to_address: mail.to_address, reason })
    }
  })
  const line = { mail_id: id, letter, attempts, reason }
  if (pause_s === undefined) app.log.error(line, 'mail given up: nobody will get it unless you act')
  else app.log.warn({ ...line, pause_s }, 'mail not sent; it is tried again')
}

/**
 * True if the server refuses for good to take a mail for this recipient, or refuses this mail (RFC 5321 4.2.1): to send it again would be
 * spam. A refusal of this sender (at AUTH or MAIL FROM) is not final: it ends when the operator corrects the settings.
 */
const isFinal = ({ command, responseCode = 0 }: SmtpError) =>
  ((command === 'RCPT TO' || command === 'DATA') && responseCode >= 550 && responseCode < 560) ||
  (command === 'RCPT TO' && badAddress.has(responseCode))

// The address has a form that the server does not take (500, 501), as with letters beyond ASCII without SMTPUTF8, names no mailbox (510 to 513, 541), or its host takes no mail (521).
const badAddress = new Set([500, 501, 510, 511, 512, 513, 521, 541])

/**
 * True if the mail server itself is away, busy or refuses this sender: each mail would fail like this one, and all of them go as soon as one
 * is taken.
 */
const isOfServer = ({ command, responseCode }: SmtpError) =>
  responseCode === undefined || responseCode === 421 || (command !== 'RCPT TO' && command !== 'DATA')

/** Enqueues mails that have become due. */
export async function sendNow(tx: Tx, mails: readonly WaitingMail[]): Promise<void> {
  for (const { id, class: its } of mails) enqueue(tx, sendMail(its), { id }, { key: `mail:${id}` })
}

/** Writes the outcome of a delivery, even if the database is away just now: else the mail would go out twice. */
async function untilDone(app: App, mail_id: string, write: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (Date.now() > deadline) throw error
      if (isUnavailable(error)) logUnavailable(app, { mail_id }, error)
      else app.log.warn({ err: error, mail_id }, 'mail: its state cannot be written yet')
      await sleep(500)
    }
  }
}
