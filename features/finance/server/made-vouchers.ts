import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import * as queries from './voucher-queries.ts'
import type { MadeVoucher } from './voucher-queries.ts'
import { isVoucherCode } from './vouchers.ts'

export { vouchersInOrder, type MadeVoucher } from './voucher-queries.ts'

/** The member of staff by id, or null for the command line, and the origin of the request. */
type Who = {
  by: string | null
  approved_by?: string
  alone?: true
  origin?: { ip: string; user_agent: string; request_id: string }
}

type NewVoucher = Pick<queries.NewVoucher, 'code_hash' | 'amount' | 'uses' | 'expires' | 'note'>

/**
 * Refuses a voucher that nobody could redeem or that another one has: throws 400 `balance_cap`@amount for a value above what a balance may
 * hold, and 409 `voucher_code_taken`@word.
 */
export async function assertRedeemable(
  app: App,
  tx: Tx,
  { code, amount }: { code: string; amount: bigint },
): Promise<void> {
  assertValue(app, amount)
  if (await isVoucherCode(app, tx, code)) throw voucherCodeTaken()
}

function assertValue({ config }: App, amount: bigint): void {
  if (amount > config.topUp.balanceCap) throw badRequest('balance_cap', 'amount')
}

/** Makes a voucher for staff, known by the hash of its code, with a line in the audit. Throws as `assertRedeemable` does. */
export async function issueVoucher(
  app: App,
  tx: Tx,
  voucher: NewVoucher,
  { by, origin, ...people }: Who,
): Promise<MadeVoucher> {
  assertValue(app, voucher.amount)
  const id = await queries.insertVoucher(tx, {
    ...voucher,
    currency: app.config.currency,
    made_by: by,
  })
  if (id === undefined) throw voucherCodeTaken()
  const { amount, uses, note } = voucher
  const detail = {
    by: by ?? 'command line',
    ...people,
    voucher_id: id.toString(),
    amount: amount.toString(),
    uses,
    note,
  }
  await recordAction(tx, { user_id: null, act: 'voucher.made', ...origin, detail })
  return must(await queries.voucherById(tx, id))
}

/** The refusal of a code that a voucher has or had; `word` is the field with the code that was chosen. */
const voucherCodeTaken = () => new HttpError(409, [{ code: 'voucher_code_taken', param: 'word' }])

/**
 * Makes a voucher worthless from now on; customers who redeemed it keep the money. Takes the lock that redemptions take, so that each
 * redemption comes before the voiding or is refused. A void voucher stays as it is. Throws 404.
 */
export async function voidVoucher(
  tx: Tx,
  { id, reason }: { id: bigint; reason: string },
  { by, origin }: Who,
): Promise<MadeVoucher> {
  await lockByName(tx, `voucher:${id}`)
  const voucher = await queries.voucherById(tx, id)
  if (!voucher) throw notFound()
  if (voucher.voided_at !== null) return voucher
  await queries.setVoid(tx, id, { voided_by: by, void_reason: reason })
  const detail = { by: by ?? 'command line', voucher_id: id.toString(), used: voucher.used, reason }
  await recordAction(tx, { user_id: null, act: 'voucher.voided', ...origin, detail })
  return must(await queries.voucherById(tx, id))
}
