import { autoTopUpReply, pageOfRuns, pauseForOperator } from '#features/auto-top-ups/server/auto-top-ups.ts'
import { decimalText, type Money } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withCustomer } from './with-customer.ts'

const SHOWN = 20
const inWords = (money: Money) => `${decimalText(money)} ${money.currency}`

/** `auto-top-up show CUSTOMER`. */
export const show = (surroundings: CommandEnvironment, named: readonly string[]): Promise<Answer> =>
  withCustomer(surroundings, named, {}, async (app, { user_id }) => {
    const standing = await autoTopUpReply(app, app.db, user_id)
    const { items: runs } = await pageOfRuns(app, user_id, { limit: SHOWN })
    const { state, reason, kind, month_limit, used } = standing
    const limit = month_limit ? `, ${inWords(used)} of ${inWords(month_limit)} used this month` : ''
    const head = state === 'off' ? 'The automatic top-up is off.' : `It is ${state} (${kind})${limit}.`
    const lines = [
      head,
      ...(reason === null ? [] : [`Reason: ${reason}.`]),
      ...runs.map((run) =>
        `${run.id}  ${run.state}  ${inWords(run.amount)}  ${run.charge_at}  ${run.reason}`.trimEnd(),
      ),
    ]
    return { lines, data: { auto_top_up: standing, runs } }
  })

/** `auto-top-up pause CUSTOMER --reason TEXT`. */
export async function pause(
  surroundings: CommandEnvironment,
  named: readonly string[],
  options: Options,
): Promise<Answer> {
  if (typeof options['reason'] !== 'string')
    throw new WrongUse('Say the reason by --reason: the customer reads it.')
  return withCustomer(surroundings, named, options, async (app, { user_id, reason }) => {
    await transaction(app, 'system', (tx) => pauseForOperator(app, tx, user_id, reason)).catch(
      (error: unknown) => {
        if (error instanceof HttpError && error.status === 409)
          throw new Refused('The automatic top-up is not on. Nothing was changed.')
        throw error
      },
    )
    return {
      lines: [`The automatic top-up of ${named[0]} is paused, and its customer is mailed.`],
      data: { customer: named[0], state: 'paused' },
    }
  })
}
