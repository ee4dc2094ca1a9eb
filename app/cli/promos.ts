import { MOST_PROMO_RENEWALS, PROMO_CODE, promoStateOf } from '#features/catalogue/rules.ts'
import {
  endPromoCode,
  makePromoCode,
  promoByCode,
  promosInOrder,
} from '#features/licences/server/licences.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { linesOf, MOST, pageBy, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'

const operator = { by: null }
const DAY_MS = 86_400_000

/** `promo add CODE LOWERS USES`. Throws WrongUse for what is malformed, for an unknown edition, and for a code that is taken. */
export async function addPromo(
  surroundings: CommandEnvironment,
  [code = '', lowers = '', uses = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  if (!PROMO_CODE.test(code)) throw new WrongUse('A code has 3 to 32 letters, digits and hyphens.')
  const typed = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined)
  const [, percent] = /^([1-9]\d?|100)\s*%$/.exec(lowers) ?? []
  const days = typed('days')
  const note = typed('note') ?? ''
  if (note.length > 200) throw new WrongUse('Keep the note to 200 characters.')
  return withApp(surroundings, async (app) => {
    const wanted = {
      code,
      percent: percent === undefined ? null : Number(percent),
      amount: percent === undefined ? readAmount(lowers, app.config.currency) : null,
      editions: typed('editions')?.split(',') ?? null,
      first_order_only: options['firstOrder'] === true,
      renewals: readNumber(typed('renewals') ?? '0', 0, MOST_PROMO_RENEWALS),
      uses: readNumber(uses, 1, 100_000),
      expires_at: days === undefined ? null : new Date(Date.now() + readNumber(days, 1, 3650) * DAY_MS),
      note,
    }
    const made = await transaction(app, 'system', (tx) => makePromoCode(app, tx, wanted, operator)).catch(
      (error: unknown) => {
        if (!(error instanceof HttpError)) throw error
        const isTaken = error.errors.some((one) => one.code === 'promo_code_taken')
        throw new WrongUse(
          isTaken ? 'There is, or was, a promo code like this.' : 'There is no such edition.',
        )
      },
    )
    return { lines: [`${made.code} can be used ${made.uses} times.`], data: { code: made.code } }
  })
}

/** `promo list`: the newest first. */
export const listPromos = (surroundings: CommandEnvironment, options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { rows, has_more } = await rowsOf(options, async (before: string | undefined) => {
      const after = before === undefined ? undefined : { place: before, id: before }
      return pageBy(await promosInOrder(app.db, { after, limit: MOST + 1 }), ({ id }) => String(id))
    })
    const promos = rows.map((row) => ({
      code: row.code,
      lowers:
        row.percent === null
          ? `${decimalText(toMoney(row.amount ?? 0n, row.currency))} ${row.currency}`
          : `${row.percent}%`,
      editions: row.editions,
      first_order_only: row.first_order_only,
      renewals: row.renewals,
      uses: row.uses,
      used: row.used,
      state: promoStateOf(row),
      expires_at: row.expires_at?.toISOString() ?? null,
      note: row.note,
    }))
    const lines = promos.map((promo) =>
      [
        promo.code,
        `-${promo.lowers}`,
        `${promo.used} of ${promo.uses} used`,
        `${promo.renewals} renewals`,
        promo.state,
        `until ${promo.expires_at ?? 'any time'}`,
        promo.note,
      ].join('  '),
    )
    return { lines: linesOf(lines, 'There is no promo code.', has_more), data: { promos, has_more } }
  })

/** `promo end CODE`. Throws NotFound. */
export const endPromo = (surroundings: CommandEnvironment, code: string) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const found = await promoByCode(app.db, code.toUpperCase())
    if (!found) throw new NotFound(`There is no promo code ${code}.`)
    const { used, uses } = await transaction(app, 'system', (tx) => endPromoCode(tx, found.id, operator))
    return {
      lines: [`${found.code} is ended. ${used} of ${uses} had been used.`],
      data: { code: found.code, used, uses },
    }
  })

function readNumber(given: string, least: number, most: number): number {
  const number = /^\d{1,6}$/.test(given) ? Number(given) : -1
  if (number < least || number > most) throw new WrongUse(`'${given}' is no number from ${least} to ${most}.`)
  return number
}
