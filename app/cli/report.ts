import { debtors, recurringOf } from '#features/books/server/books.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { decimalText } from '#foundation/money.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { inNewFile } from './new-file.ts'
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

/** `report debts [--day 2026-10-31] [--csv FILE]`: all of them, the oldest first. An existing file is not overwritten. Throws WrongUse. */
export const reportDebts = (surroundings: CommandEnvironment, { day, csv }: Options): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const at = formed(day, /^(?:19|20|21)\d\d-\d\d-\d\d$/u, '--day is a day, as 2026-10-31.')
    if (typeof csv === 'string')
      return await inNewFile(csv, async (target) => {
        const debts = await debtors(app, { day: at })
        await target.writeFile(debtsFile(debts, app.config.timeZone))
        return { lines: [`Wrote ${debts.length} debts to ${csv}.`], data: { file: csv, debts: debts.length } }
      })
    const debts = await debtors(app, { day: at })
    const lines = debts.map(
      ({ customer: { id, name }, debt, since, days }) =>
        `${id} ${name}  ${decimalText(debt)} ${debt.currency}  ${since === null ? 'since unknown' : `since ${since}, ${days} days`}`,
    )
    return { lines: lines.length > 0 ? lines : ['Nobody owes anything.'], data: { debts } }
  })

const debtsFile = (debts: Awaited<ReturnType<typeof debtors>>, timeZone: string): string =>
  csvFile(
    ['id', 'name', 'debt', 'currency', 'since', 'days'],
    debts.map(({ customer: { id, name }, debt, since, days }) =>
      csvLine([
        id,
        textCell(name),
        decimalText(debt),
        debt.currency,
        since === null ? '' : dayIn(new Date(since), timeZone),
        String(days ?? ''),
      ]),
    ),
  )

function formed(given: string | boolean | undefined, form: RegExp, wrong: string): string | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !form.test(given) || Number.isNaN(Date.parse(given)))
    throw new WrongUse(wrong)
  return given
}
