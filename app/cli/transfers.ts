import * as finance from '#features/finance/server/finance.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { linesOf, MOST } from './pages.ts'
import { withApp } from './with-app.ts'

/** More transfers than are ever waited for. */
const EVERY = 1_000_000

/** `transfer list`: the newest first. */
export const listTransfers = (surroundings: CommandEnvironment, { all }: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const found = await finance.waitingTransfers(app.db, all === true ? EVERY : MOST + 1)
    const has_more = all !== true && found.length > MOST
    const rows = has_more ? found.slice(0, MOST) : found
    const transfers = await Promise.all(
      rows.map(async ({ reference, amount, currency, user_id, created_at }) => ({
        reference: reference ?? '',
        amount: decimalText(toMoney(amount, currency)),
        currency,
        customer: (await findUser(app.db, user_id))?.email ?? user_id,
        announced_at: created_at.toISOString(),
      })),
    )
    const lines = transfers.map(
      ({ reference, amount, currency, customer, announced_at }) =>
        `${reference}  ${amount} ${currency}  ${customer}  announced ${announced_at}`,
    )
    return { lines: linesOf(lines, 'No transfer is waited for.', has_more), data: { transfers, has_more } }
  })

/** `transfer confirm REFERENCE`. Throws NotFound for an unknown reference, and Refused if the transfer was booked already. */
export const confirmTransferBy = (surroundings: CommandEnvironment, reference: string, options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const transfer = await transferWith(app, reference)
    const reason = typeof options['reason'] === 'string' ? options['reason'] : 'Bank transfer'
    await transaction(app, 'system', (tx) => finance.confirmForOperator(app, tx, transfer, reason)).catch(
      explain(`${reference} was paid already.`),
    )
    const amount = decimalText(toMoney(transfer.amount, transfer.currency))
    return { lines: [`${amount} ${transfer.currency} booked for ${reference}.`], data: { reference, amount } }
  })

/** `transfer reject REFERENCE`. Throws WrongUse without a reason, NotFound, and Refused if the transfer is no longer expected. */
export const rejectTransferBy = (surroundings: CommandEnvironment, reference: string, { reason }: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 200)
      throw new WrongUse('Say the reason in at most 200 characters, by --reason: the customer reads it.')
    const { user_id, public_id: id } = await transferWith(app, reference)
    await transaction(app, 'system', async (tx) => {
      await finance.rejectTransfer(app, tx, { user_id, id, reason })
      const detail = { by: 'command line', top_up: id, reason }
      await recordAction(tx, { user_id, act: 'finance.rejected', detail })
    }).catch(explain(`${reference} is not waited for any more.`))
    return { lines: [`${reference} is no longer expected.`], data: { reference } }
  })

async function transferWith(app: App, reference: string) {
  const found = await finance.transferWith(app.db, reference)
  if (!found) throw new NotFound(`No transfer has the reference '${reference}'.`)
  return found
}

const explain = (sentence: string) => (error: unknown) => {
  throw error instanceof HttpError ? new Refused(sentence) : error
}
