import { readFile } from 'node:fs/promises'
import { keepRates, type EuroRate } from '#features/invoices/server/invoices.ts'
import { isDay } from '#foundation/fields.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `rates import FILE`: eurofxref.csv or eurofxref-hist.csv of the European Central Bank. Throws NotFound, and WrongUse for another file. */
export const importRates = (surroundings: CommandEnvironment, file: string): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const text = await readFile(file, 'utf8').catch(() => {
      throw new NotFound(`There is no file ${file}.`)
    })
    const rates = ratesIn(text)
    if (rates.length === 0)
      throw new WrongUse('This is no file of the European Central Bank: eurofxref.csv or eurofxref-hist.csv.')
    const added = await transaction(app, 'system', (tx) => keepRates(tx, rates, 'ECB'))
    const newest =
      rates
        .map(({ day }) => day)
        .toSorted()
        .at(-1) ?? ''
    return {
      lines: [`${added} new rates of ${rates.length}, the newest of ${newest}.`],
      data: { rates: rates.length, added, newest },
    }
  })

/** Returns the rates of a file whose first line is 'Date, USD, JPY' and whose other lines begin with a day; a line without a day is left out. */
function ratesIn(text: string): EuroRate[] {
  const [head = [], ...rows] = text.split(/\r?\n/).map((line) => line.split(',').map((cell) => cell.trim()))
  if (head[0] !== 'Date') return []
  return rows.flatMap(([written = '', ...cells]) => {
    const day = dayOf(written)
    if (day === undefined) return []
    return cells.flatMap((per_euro, place): EuroRate[] => {
      const currency = head[place + 1] ?? ''
      return /^[A-Z]{3}$/.test(currency) && /^\d+(\.\d+)?$/.test(per_euro) && Number(per_euro) > 0
        ? [{ day, currency, per_euro }]
        : []
    })
  })
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** Reads '2026-11-27', and '27 November 2026' of the file of a day. */
function dayOf(written: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(written) ?? []
  const number = months.indexOf(month) + 1
  const iso = number > 0 ? `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}` : written
  return /^\d{4}-\d\d-\d\d$/.test(iso) && isDay(iso) ? iso : undefined
}
