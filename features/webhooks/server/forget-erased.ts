import { goneNumbers, OPERATOR } from '#foundation/server/account-events/account-events.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { answeredNumbers, forgetAnswers } from './attempt-queries.ts'

const FORGET_ANSWERS = jobKind('forget_webhook_answers', 'rest')
/** By then an attempt that was on its way has ended. */
const LATER_s = 60

/** Plans to forget the answers that the operator's programs gave to the events of an account that is erased. */
export function planForgetting(tx: Tx): void {
  enqueue(tx, FORGET_ANSWERS, {})
  enqueue(tx, FORGET_ANSWERS, {}, { after_s: LATER_s })
}

/** An answer goes with its event: once that is gone, nothing says of which account they were. */
export const forgetErased = job(FORGET_ANSWERS, (app) =>
  transaction(app, 'system', async (tx) => {
    const gone = await goneNumbers(tx, OPERATOR, await answeredNumbers(tx))
    await forgetAnswers(
      tx,
      gone.map((seq) => ({ list_id: OPERATOR, seq })),
    )
  }),
)
