import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import type { UserRow } from '#foundation/server/session/session.ts'
import { placeQuestion } from './mails.ts'
import { openQuestion } from './place-queries.ts'
import type { VatDecision } from './vat-decision.ts'

type Sale = {
  user: Pick<UserRow, 'id' | 'email' | 'locale' | 'is_active'>
  vat: VatDecision
  /** The time of a sale of the demo's history, of which nobody is mailed. */
  at: Date | undefined
}

/**
 * Opens the question about the buyer's place where the VAT of a sale rests on doubted facts. The sale that opens it mails it, in its
 * transaction: once for each question, however many sales follow.
 */
export async function askAtSale(app: App, tx: Tx, { user, vat, at }: Sale): Promise<void> {
  const { place } = vat.evidence
  if (place?.basis !== 'doubted') return
  const { id: user_id } = user
  const isNew = await openQuestion(tx, { user_id, place: place.claimed })
  if (isNew && at === undefined) await mailTo(app, tx, user_id, placeQuestion, {})
}
