import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Answers } from '#foundation/server/mail/mail-template.ts'
import { addressOf } from './address.ts'
import { carriedAddress, noteSent } from './address-queries.ts'

type Of = { ticket_id: bigint; user_id: string; chat_id: string }
export type Carried = { id: bigint; answers: Answers }

/**
 * Returns what a mail about a ticket carries so that its reader can answer by mail, and letters of one ticket stay together; undefined where no
 * mails come in.
 */
export async function carriedReply(
  app: App,
  tx: Tx,
  { ticket_id, user_id, chat_id }: Of,
): Promise<Carried | undefined> {
  const { mailIn, publicOrigin } = app.config
  if (!mailIn) return undefined
  const named = { id: await carriedAddress(tx, { ticket_id, user_id }), ticket_id, user_id }
  const to = addressOf(app.keys, mailIn, 'answer', named)
  const returns = mailIn.bounces ? addressOf(app.keys, mailIn, 'return', named) : undefined
  return {
    id: named.id,
    answers: { to, returns, thread: `ticket-${chat_id}@${new URL(publicOrigin).hostname}` },
  }
}

type Sent = Omit<Of, 'chat_id'> & {
  mail: { id: string; to: string } | undefined
  carried: Carried | undefined
  /** Undefined for a mail about the ticket as it stands. */
  seq: number | undefined
}

/** Notes that a mail about entries up to `seq` goes out, to know of one that comes back what it was about. */
export async function noteTicketMail(
  tx: Tx,
  { ticket_id, user_id, mail, carried, seq }: Sent,
): Promise<void> {
  if (!mail) return
  const { id: mail_id, to: to_address } = mail
  await noteSent(tx, { mail_id, ticket_id, user_id, address_id: carried?.id ?? null, to_address, seq })
}
