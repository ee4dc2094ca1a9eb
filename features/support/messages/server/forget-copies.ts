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
type Copies = Pick<Redacted, 'chat_id' | 'events'> & {
  ticket_id: string
  since: string
  /** The tickets in which the message is and was; a job of a release before has none. */
  places?: readonly { ticket_id: string; chat_id: string }[]
}

const FORGET_COPIES = jobKind('forget_copies', 'replies')

/** Plans to forget what mails and the answers of webhooks hold of a message: at once, and beside the act itself. */
export async function planForgetting(_app: App, tx: Tx, redacted: Redacted): Promise<void> {
  const { ticket_id, chat_id, since, events } = redacted
  const places = redacted.places.map((place) => ({ ...place, ticket_id: String(place.ticket_id) }))
  const payload = { chat_id, events, places, ticket_id: String(ticket_id), since: since.toISOString() }
  enqueue(tx, FORGET_COPIES, payload satisfies Copies, {
    key: `copies:${ticket_id}:${redacted.seq}:${events.length}`,
  })
}

/**
 * A mail of replies that was stopped is made again, without what was removed. The tickets stand in the order in which the message went
 * through them: what a mail of one told may have gone along to the later ones.
 */
export const forgetCopies = job<Copies>(FORGET_COPIES, (app, copies) =>
  transaction(app, 'system', async (tx) => {
    const { events, since, places = [copies] } = copies
    await forgetAnswers(tx, events)
    let stopped = 0
    for (const { ticket_id, chat_id: holding } of places) {
      stopped += await redactMails(app, tx, { class: 'replies', since: new Date(since), holding })
      if (stopped > 0) await mailAgain(tx, BigInt(ticket_id))
    }
  }),
)
