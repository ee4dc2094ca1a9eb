import type { Transaction } from '#features/finance/contract.ts'
import { chargeBackForOperator } from '#features/finance/server/finance.ts'
import { refundForOperator } from '#features/sales/server/sales.ts'
import { decimalText } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { moveOnce } from './move-once.ts'
import type { Options } from './options.ts'
import { withCustomer } from './with-customer.ts'

type Asked = { user_id: string; id: string; amount: bigint | undefined; reason: string }

/** `refund CUSTOMER TRANSACTION`. Throws WrongUse, NotFound, and Refused if less than the amount is left to refund. */
export const refundBy = (surroundings: CommandEnvironment, given: readonly string[], options: Options) =>
  moneyBack(surroundings, given, options, {
    command: 'refund',
    async book(app, tx, { user_id, id: transaction_id, amount, reason }) {
      const order_id = typeof options['order'] === 'string' ? options['order'] : undefined
      if (!isUuid(transaction_id) || (order_id !== undefined && !isUuid(order_id))) throw notFound()
      const months = typeof options['months'] === 'string' ? readMonths(options['months']) : undefined
      if (months !== undefined && amount !== undefined)
        throw new WrongUse('Name an amount or months, not both.')
      const end_for_next_owner = options['end-for-next-owner'] === true
      return refundForOperator(app, tx, {
        user_id,
        transaction_id,
        order_id,
        amount,
        months,
        reason,
        end_for_next_owner,
      })
    },
    missing: 'This customer has no such transaction, or it has not paid this order.',
    refused: 'So much of this transaction cannot be refunded. Nothing was changed.',
    done: 'refunded to',
  })

/** `charge-back CUSTOMER TOP_UP`. Throws WrongUse, NotFound, and Refused if less than the amount is left of the payment. */
export const chargeBackBy = (surroundings: CommandEnvironment, given: readonly string[], options: Options) =>
  moneyBack(surroundings, given, options, {
    command: 'charge-back',
    book: chargeBackForOperator,
    missing: 'This customer has no such top-up.',
    refused: 'So much of this payment is not there to be taken back. Nothing was changed.',
    done: 'charged back from',
  })

function readMonths(given: string): number {
  if (!/^(?:[1-9]|1[0-2])$/.test(given)) throw new WrongUse(`'${given}' is no number of months from 1 to 12.`)
  return Number(given)
}

type Kind = {
  command: string
  book(app: App, tx: Tx, asked: Asked): Promise<Transaction>
  missing: string
  refused: string
  done: string
}

async function moneyBack(
  surroundings: CommandEnvironment,
  given: readonly string[],
  options: Options,
  { command, book, missing, refused, done }: Kind,
): Promise<Answer> {
  const [customer = '', id = ''] = given
  if (typeof options['reason'] !== 'string')
    throw new WrongUse('Say the reason by --reason: the customer reads it.')
  return withCustomer(surroundings, given, options, async (app, { user_id, reason }) => {
    const { currency } = app.config
    const named = options['amount']
    const amount = typeof named === 'string' ? readAmount(named, currency) : undefined
    return moveOnce(app, { user_id, command, given, options }, async (tx) => {
      const booked = await book(app, tx, { user_id, id, amount, reason }).catch((error: unknown) => {
        if (!(error instanceof HttpError)) throw error
        throw error.status === 404 ? new NotFound(missing) : new Refused(refused)
      })
      const moved = decimalText(booked.amount).replace(/^-/, '')
      return {
        lines: [`${moved} ${currency} ${done} ${customer}: transaction ${booked.id}.`],
        data: { customer, transaction: booked.id, amount: moved, currency },
      }
    })
  })
}
