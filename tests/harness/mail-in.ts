// Mails that come in: addresses that mails of tickets carry, raw mails, and what became of them.
import { randomUUID } from 'node:crypto'
import { carriedReply } from '#features/support/mail/server/mail.ts'
import { postMail } from '#features/support/mail/server/post.ts'
import { receive } from '#features/support/mail/server/receive.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { asOwner } from './hosts.ts'
import type { TestApp } from './test-app.ts'

/** The settings of an installation into which mails come. */
export const mailInSettings = {
  RATE_LIMIT_SCALE: '1000',
  MAIL_IN_DOMAIN: 'in.example.com',
  MAIL_IN_AUTH_SERVER: 'mx.example.com',
}

type Row = { id: string }

export const ticketIdOf = async (test: TestApp, chat_id: string): Promise<bigint> => {
  const [row] = (await asOwner(test, 'select id from tickets where public_id = $1', [chat_id])) as Row[]
  return BigInt(must(row).id)
}

/** The addresses that a mail to this person about the ticket carries now. */
export async function carriedIn(test: TestApp, chat_id: string, user_id: string) {
  const ticket_id = await ticketIdOf(test, chat_id)
  const carried = await transaction(test.app, 'system', (tx) =>
    carriedReply(test.app, tx, { ticket_id, user_id, chat_id }),
  )
  return must(carried).answers
}

/** A mail as a person's program writes it. `more` are lines of headers before the others. */
export const rawMail = ({
  from = 'Anna <anna@example.com>',
  to = 'support@in.example.com',
  subject = 'Re: Cannot reach my server',
  more = [],
  type = 'text/plain; charset=utf-8',
  text = 'It works again, thank you.',
}: {
  from?: string
  to?: string
  subject?: string
  more?: readonly string[]
  type?: string
  text?: string
}): Buffer =>
  Buffer.from(
    [
      ...more,
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      `Message-ID: <${randomUUID()}@mail.example.com>`,
      `Date: ${new Date().toUTCString()}`,
      'MIME-Version: 1.0',
      `Content-Type: ${type}`,
      '',
      text,
    ].join('\r\n'),
  )

/** Returns the parts, between lines `--r`, of a report that a mail could not be delivered: with what the server said, and the mail's own id. */
export function deliveryReport(
  status: string,
  { said, message_id }: { said?: string; message_id?: string },
): string {
  const diagnosis = said === undefined ? '' : `\nDiagnostic-Code: ${said}`
  const headers =
    message_id === undefined ? '' : `\n--r\nContent-Type: text/rfc822-headers\n\nMessage-ID: <${message_id}>`
  return `--r
Content-Type: text/plain

It did not arrive.
--r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; anna@example.com
Action: failed
Status: ${status}${diagnosis}${headers}
--r--`.replaceAll('\n', '\r\n')
}

type Fate = {
  state: string
  reason: string | null
  answer: string | null
  ticket_id: string | null
  file_names: string[]
}

/** Lets a mail come in and be judged; returns what became of it. */
export async function comes(test: TestApp, bytes: Uint8Array, recipient?: string): Promise<Fate & Row> {
  await receive(test.app, { bytes, way: 'pipe', recipient })
  const rows = (await asOwner(test, `select id from received_mails where state = 'new'`)) as Row[]
  for (const { id } of rows) await postMail(test.app, { id })
  const [fate] = (await asOwner(
    test,
    'select id, state, reason, answer, ticket_id, file_names from received_mails order by coalesce(decided_at, received_at) desc limit 1',
  )) as (Fate & Row)[]
  return must(fate)
}
