import type { App } from '#foundation/server/app.ts'
import type { PayloadOf } from '#foundation/contract.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { redactMails } from '#foundation/server/mail/redact.ts'
import { forgetAnswers } from '#features/webhooks/server/webhooks.ts'
import type { messageRedacted } from '#features/support/tickets/contract.ts'
import { mailAgain } from './mail-queries.ts'

type Redacted = PayloadOf<typeof messageRedacted>
type Copies = Pick<Redacted, 'chat_id' | 'events'> & { ticket_id: string; since: string }

const FORGET_COPIES = jobKind('forget_copies', 'replies')

/** Plans to forget what mails and the answers of webhooks hold of a message: at once, and beside the act itself. */
export async function planForgetting(_app: App, tx: Tx, redacted: Redacted): Promise<void> {
  const { ticket_id, chat_id, since, events } = redacted
  const payload = { chat_id, events, ticket_id: String(ticket_id), since: since.toISOString() }
  enqueue(tx, FORGET_COPIES, payload satisfies Copies, {
    key: `copies:${ticket_id}:${redacted.seq}:${events.length}`,
  })
}

/** A mail of replies that was stopped is made again, without what was removed. */
export const forgetCopies = job<Copies>(FORGET_COPIES, (app, { ticket_id, chat_id, since, events }) =>
  transaction(app, 'system', async (tx) => {
    await forgetAnswers(tx, events)
    const stopped = await redactMails(app, tx, { class: 'replies', since: new Date(since), holding: chat_id })
    if (stopped > 0) await mailAgain(tx, BigInt(ticket_id))
  }),
)
