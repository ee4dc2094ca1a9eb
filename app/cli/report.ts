import { debtors, recurringOf } from '#features/books/server/books.ts'
import { decimalText } from '#foundation/money.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `report revenue [--month 2026-10]`: the last twelve months up to it, its plans and its best customers. */
export const reportRevenue = (surroundings: CommandEnvironment, { month }: Options): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const to = formed(month, /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/u, '--month is a month, as 2026-10.')
    const data = await recurringOf(app, { to })
    const { months, plans, best } = data
    const lines = [
      ...months
        .slice(-12)
        .map(
          (one) =>
            `${one.month}  MRR ${decimalText(one.mrr)}  ARR ${decimalText(one.yearly)} ${one.yearly.currency}  ${one.licences} licences, ` +
            `${one.customers} customers: ${one.joined} new, ${one.returned} back, ${one.lost} lost${one.is_final ? '' : ' (not final)'}`,
        ),
      'By plan:',
      ...plans.map(
        ({ plan, mrr, licences, customers }) =>
          `  ${plan}  MRR ${decimalText(mrr)}  ${licences} licences, ${customers} customers`,
      ),
      'Best customers:',
      ...best.map(
        ({ customer: { id, name }, mrr, licences }) =>
          `  ${id} ${name}  MRR ${decimalText(mrr)}  ${licences} licences`,
      ),
    ]
    return { lines, data }
  })

/** `report debts [--day 2026-10-31]`: all of them, the oldest first. */
export const reportDebts = (surroundings: CommandEnvironment, { day }: Options): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const at = formed(day, /^(?:19|20|21)\d\d-\d\d-\d\d$/u, '--day is a day, as 2026-10-31.')
    const debts = await debtors(app, { day: at })
    const lines = debts.map(
      ({ customer: { id, name }, debt, since, days }) =>
        `${id} ${name}  ${decimalText(debt)} ${debt.currency}  ${since === null ? 'since unknown' : `since ${since}, ${days} days`}`,
    )
    return { lines: lines.length > 0 ? lines : ['Nobody owes anything.'], data: { debts } }
  })

function formed(given: string | boolean | undefined, form: RegExp, wrong: string): string | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !form.test(given) || Number.isNaN(Date.parse(given)))
    throw new WrongUse(wrong)
  return given
}
