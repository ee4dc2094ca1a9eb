import { VOUCHER_WORD } from '#features/finance/rules.ts'
import * as finance from '#features/finance/server/finance.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { doneAlone } from '#foundation/server/approvals/events.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { linesOf, MOST, pageBy, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'

const operator = { by: null }

/** `voucher make AMOUNT USES DAYS`. Throws WrongUse for a malformed amount or number, and for a voucher that nobody could redeem. */
export async function makeVoucherBy(
  surroundings: CommandEnvironment,
  [amount = '', uses = '', days = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  const note = typeof options['note'] === 'string' ? options['note'] : ''
  if (note.length > 200) throw new WrongUse('Keep the note to 200 characters.')
  const word = typeof options['word'] === 'string' ? options['word'] : undefined
  if (word !== undefined && !VOUCHER_WORD.test(word))
    throw new WrongUse('A code has 8 to 32 letters and digits, with hyphens between.')
  return await withApp(surroundings, async (app) => {
    const code = word?.toUpperCase() ?? finance.newVoucherCode()
    const voucher = {
      code_hash: finance.hashVoucherCode(app, code),
      amount: readAmount(amount, app.config.currency),
      uses: readCount(uses),
      expires: { days: readCount(days) },
      note,
    }
    const worth = voucher.amount * BigInt(voucher.uses)
    await transaction(app, 'system', async (tx) => {
      await finance.assertRedeemable(app, tx, { code, amount: voucher.amount })
      await finance.issueVoucher(app, tx, voucher, operator)
      // No second person is asked, because a user of the shell can write to the database anyway. The owners are told instead.
      if (worth > app.config.staffAlone.vouchers.owner)
        await emit(app, tx, doneAlone, {
          act: 'vouchers.make',
          customer_id: null,
          amount: worth,
          reason: note,
          by: null,
        })
    }).catch((error: unknown) => {
      throw error instanceof HttpError ? new WrongUse(faultOf(app, error)) : error
    })
    return { lines: [code, 'It is shown this once; what is kept is only a hash.'], data: { code } }
  })
}

function faultOf({ config: { topUp, currency } }: App, { errors }: HttpError): string {
  if (errors.some(({ code }) => code === 'voucher_code_taken'))
    return 'A voucher has, or had, this code: choose another.'
  const most = decimalText(toMoney(topUp.balanceCap, currency))
  return `A balance may hold ${most} ${currency}, so nobody could redeem more (BALANCE_CAP).`
}

/** `voucher list`: the newest first. */
export const listVouchers = (surroundings: CommandEnvironment, options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { rows, has_more } = await rowsOf(options, async (before: string | undefined) => {
      const after = before === undefined ? undefined : { place: before, id: before }
      return pageBy(await finance.vouchersInOrder(app.db, { after, limit: MOST + 1 }), ({ id }) => String(id))
    })
    const vouchers = rows.map((row) => ({
      id: row.id.toString(),
      amount: decimalText(toMoney(row.amount, row.currency)),
      currency: row.currency,
      uses: row.uses,
      used: row.used,
      expires_at: row.expires_at?.toISOString() ?? null,
      voided_at: row.voided_at?.toISOString() ?? null,
      note: row.note,
    }))
    const lines = vouchers.map(({ id, amount, currency, uses, used, expires_at, voided_at, note }) =>
      [
        `#${id}`,
        `${amount} ${currency}`,
        `${used} of ${uses} used`,
        voided_at === null ? `until ${expires_at ?? 'any time'}` : `void since ${voided_at}`,
        note,
      ].join('  '),
    )
    return { lines: linesOf(lines, 'There is no voucher.', has_more), data: { vouchers, has_more } }
  })

/** `voucher void ID`. Throws WrongUse for a malformed number, and NotFound. */
export async function voidVoucherBy(
  surroundings: CommandEnvironment,
  given: string,
  { reason }: Options,
): Promise<Answer> {
  const [, id] = /^#?([1-9]\d{0,17})$/.exec(given) ?? []
  if (id === undefined) throw new WrongUse(`'${given}' is no number of a voucher.`)
  const wanted = { id: BigInt(id), reason: typeof reason === 'string' ? reason : 'from the command line' }
  return await withApp(surroundings, async (app) => {
    const { used, uses } = await transaction(app, 'system', (tx) =>
      finance.voidVoucher(tx, wanted, operator),
    ).catch((error: unknown) => {
      throw error instanceof HttpError ? new NotFound(`There is no voucher #${id}.`) : error
    })
    return { lines: [`Voucher #${id} is void. ${used} of ${uses} had been used.`], data: { id, used, uses } }
  })
}

function readCount(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new WrongUse(`'${given}' is no number from 1 to 999999.`)
  return Number(given)
}
