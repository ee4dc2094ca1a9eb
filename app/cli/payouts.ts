import type { Payout } from '#features/payouts/contract.ts'
import { payoutStates } from '#features/payouts/rules.ts'
import * as payouts from '#features/payouts/server/payouts.ts'
import { decimalText } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { plainNumber } from '#foundation/typed-code.ts'
import { isUuid } from '#foundation/uuid.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { moveOnce } from './move-once.ts'
import { inNewFile } from './new-file.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'
import { withCustomer } from './with-customer.ts'

/** `payout list`: the newest first. */
export const list = (surroundings: CommandEnvironment, { state = 'requested' }: Options): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const wanted = payoutStates.find((one) => one === state)
    if (wanted === undefined) throw new WrongUse(`Name a state: ${payoutStates.join(', ')}.`)
    const found = await payouts.payoutsIn(app, wanted)
    const lines = found.map(
      ({ reference, amount, customer, created_at }) =>
        `${reference}  ${decimalText(amount)} ${amount.currency}  ${customer}  since ${created_at}`,
    )
    return { lines: lines.length > 0 ? lines : [`No payout is ${wanted}.`], data: { payouts: found } }
  })

/** `payout make CUSTOMER AMOUNT IBAN HOLDER`. */
export const make = (
  surroundings: CommandEnvironment,
  given: readonly string[],
  options: Options,
): Promise<Answer> =>
  moved(surroundings, given, options, 'payout make', (app, tx, { user_id, reason }) => {
    const [, named = '', iban = '', holder = ''] = given
    const amount = readAmount(named, app.config.currency)
    const account = { iban: plainNumber(iban), holder }
    return payouts.payoutForOperator(app, tx, { user_id, amount, account, reason })
  })

/** `payout refund CUSTOMER TRANSACTION`. */
export const refundToSource = (
  surroundings: CommandEnvironment,
  given: readonly string[],
  options: Options,
): Promise<Answer> =>
  moved(surroundings, given, options, 'payout refund', async (app, tx, { user_id, reason }) => {
    const [, id = ''] = given
    if (!isUuid(id)) throw notFound()
    const named = options['amount']
    const amount = typeof named === 'string' ? readAmount(named, app.config.currency) : undefined
    return payouts.refundTopUpForOperator(app, tx, { user_id, id, amount, reason })
  })

/** `payout file FILE`: writes what waits as SEPA credit transfers. Only the user who runs the command can read the file. */
export const file = (surroundings: CommandEnvironment, [target = '']: readonly string[]): Promise<Answer> =>
  withApp(surroundings, (app) =>
    inNewFile(target, async (opened) => {
      const made = await transaction(app, 'system', (tx) => payouts.makeFileForOperator(app, tx)).catch(
        explain('No payout waits for a file.'),
      )
      const content = await payouts
        .sepaContent(app, made.id)
        .catch(
          explain(`The file ${made.id} is CSV alone, on the page Payouts: SEPA needs euros and an IBAN.`),
        )
      await opened.writeFile(content)
      return {
        lines: [`Wrote ${made.payouts} payouts to ${target}: file ${made.id}.`],
        data: { ...made, target },
      }
    }),
  )

/** `payout sent REFERENCE`. */
export const sent = (
  surroundings: CommandEnvironment,
  [reference = '']: readonly string[],
): Promise<Answer> =>
  ended(surroundings, reference, 'sent', (app, tx) => payouts.sentForOperator(app, tx, reference))

/** `payout returned REFERENCE`. */
export function returned(
  surroundings: CommandEnvironment,
  [reference = '']: readonly string[],
  { reason }: Options,
): Promise<Answer> {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 200)
    throw new WrongUse('Say the reason in at most 200 characters, by --reason: the customer reads it.')
  return ended(surroundings, reference, 'back on the balance', (app, tx) =>
    payouts.returnForOperator(app, tx, { reference, reason }),
  )
}

const ended = (
  surroundings: CommandEnvironment,
  reference: string,
  done: string,
  act: (app: App, tx: Tx) => Promise<Payout>,
): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const { amount, state } = await transaction(app, 'system', (tx) => act(app, tx)).catch(
      explain(`${reference} has ended already, or only its provider can end it. Nothing was changed.`),
    )
    const sum = decimalText(amount)
    return {
      lines: [`${sum} ${amount.currency} of ${reference}: ${done}.`],
      data: { reference, state, amount: sum },
    }
  })

type Acting = { user_id: string; reason: string }

async function moved(
  surroundings: CommandEnvironment,
  given: readonly string[],
  options: Options,
  command: string,
  act: (app: App, tx: Tx, acting: Acting) => Promise<Payout>,
): Promise<Answer> {
  if (typeof options['reason'] !== 'string')
    throw new WrongUse('Say the reason by --reason: the customer reads it.')
  return withCustomer(surroundings, given, options, (app, { user_id, reason }) =>
    moveOnce(app, { user_id, command, given, options }, async (tx) => {
      const { amount, reference } = await act(app, tx, { user_id, reason }).catch(
        explain('So much cannot leave this balance, or not this way. Nothing was changed.'),
      )
      const sum = decimalText(amount)
      return {
        lines: [`${sum} ${amount.currency} has left the balance of ${given[0]}: payout ${reference}.`],
        data: { customer: given[0], reference, amount: sum, currency: amount.currency },
      }
    }),
  )
}

const explain = (sentence: string) => (error: unknown) => {
  if (!(error instanceof HttpError)) throw error
  const [code = ''] = error.errors.map((one) => one.code)
  if (error.status === 404) throw new NotFound('There is no such payout, customer or payment.')
  if (error.status === 400) throw new WrongUse(WRONG[code] ?? sentence)
  throw new Refused(sentence)
}

const WRONG: Readonly<Record<string, string>> = {
  iban_invalid: 'This is no IBAN.',
  iban_not_sepa: 'SEPA transfers do not reach this account.',
  holder_not_latin: 'Write the account holder in Latin letters.',
}
