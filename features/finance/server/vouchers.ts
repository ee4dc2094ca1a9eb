import { createHmac, randomInt } from 'node:crypto'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { digestKeys } from '#foundation/server/keys.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { redeemVoucher } from '#features/finance/contract.ts'
import { assertNotOwn } from '#features/profile/server/profile.ts'
import { assertBelowCap } from './balance-cap.ts'
import { post } from './ledger.ts'
import { voucherRedeemed, notifyCustomer } from './mails.ts'
import { findTransaction } from './transactions.ts'
import * as queries from './voucher-queries.ts'

/** Answers `POST /api/finances/vouchers/`. An attempt is counted before the code is read, and uncounted unless the code is wrong. */
export const redeem = handler(redeemVoucher, async (call) => {
  const { app, actor, body } = call
  const attempt = await count(app, app.db, 'voucher', actor.user_id)
  if (!attempt.allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], attempt.retry_after_s)
  try {
    const reply = await withIdempotencyKey(redeemVoucher, call, (tx) =>
      redeemOnce(app, tx, actor.user_id, body.code),
    )
    await attempt.release()
    return reply
  } catch (error) {
    const wrong = error instanceof HttpError && error.errors.some(({ code }) => code === 'voucher_invalid')
    if (!wrong) await attempt.release()
    throw error
  }
})

/**
 * Redeems a voucher. Throws 400 `voucher_invalid` or `balance_cap`, 403 `own_account` for the member of staff who made the voucher
 * (or an account linked to them), 409 `voucher_used`. The caller counts attempts.
 */
export async function redeemOnce(app: App, tx: Tx, user_id: string, code: string) {
  const voucher = await queries.liveVoucher(tx, hashesOfCode(app, code), app.config.currency)
  if (!voucher) throw badRequest('voucher_invalid', 'code')
  // The attack is a member of staff who gives themselves money (decision 065), by a code instead of a credit. A helper redeems for another
  // account, so both are judged: the account, and the person who acts for it.
  const { made_by } = voucher
  for (const one of new Set([user_id, app.acting?.person_id ?? user_id]))
    if (made_by !== null) await assertNotOwn(tx, made_by, one)
  // Redemptions of one voucher run one after the other. Without this lock the table's keys would refuse the others as well, but with a 500.
  await lockByName(tx, `voucher:${voucher.id}`)
  const { used, by_user, is_void } = await queries.usesOf(tx, voucher.id, user_id)
  if (is_void) throw badRequest('voucher_invalid', 'code')
  if (by_user || used >= voucher.uses) throw new HttpError(409, [{ code: 'voucher_used' }])
  await assertBelowCap(app, tx, user_id, voucher.amount, 'code')
  const { transaction_id, balance_after } = await post(app, tx, {
    type: 'fill_balance_voucher',
    user_id,
    amount: voucher.amount,
    description: { code: 'voucher', params: {} },
  })
  const { id: voucher_id, uses } = voucher
  await app.acting?.note(tx, 'voucher_redeemed', { amount: voucher.amount })
  await queries.insertRedemption(tx, { voucher_id, slot: used + 1, uses, user_id, transaction_id })
  await notifyCustomer(app, tx, user_id, voucherRedeemed, { amount: voucher.amount, balance: balance_after })
  return { status: 201, body: must(await findTransaction(tx, user_id, transaction_id)) } as const
}

/**
 * Makes a voucher of `amount` minor units for this many `uses`, expiring after `days` or (null) never. The
 * code is returned only here; the database keeps a keyed hash.
 */
export async function makeVoucher(app: App, value: Value): Promise<string> {
  const code = newVoucherCode()
  await transaction(app, 'system', (tx) => addVoucher(app, tx, { code, ...value }))
  return code
}

export const newVoucherCode = (): string => Array.from({ length: 4 }, group).join('-')

type Value = { amount: bigint; uses: number; days: number | null }

/** Makes a voucher with a chosen code: for demo data only, since a chosen code can be guessed. */
export async function addVoucher(app: App, tx: Tx, { code, days, ...value }: Value & { code: string }) {
  await queries.insertVoucher(tx, {
    code_hash: hashVoucherCode(app, code),
    currency: app.config.currency,
    expires: days === null ? null : { days },
    note: '',
    made_by: null,
    ...value,
  })
}

/**
 * Returns the code of the voucher that a member of staff makes with this idempotency key. The same key gives the same code, so that
 * a repeated call gets the code again although it is not stored.
 */
export function voucherCodeFor({ keys }: App, user_id: string, idempotency_key: string): string {
  const [key] = digestKeys(keys)
  const digest = createHmac('sha256', must(key)).update(`voucher-code:${user_id}:${idempotency_key}`).digest()
  // The 256 values of a byte are a multiple of the 32 letters, so that each letter is equally likely.
  const letters = Array.from(digest.subarray(0, 16), (byte) => LETTERS[byte % LETTERS.length])
  return [0, 4, 8, 12].map((from) => letters.slice(from, from + 4).join('')).join('-')
}

// A code has 80 bits. The letters omit I, L and O, which are read as digits, and U, so that fewer words arise by chance.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Returns true if a voucher has this code, whether it can be redeemed or not. */
export const isVoucherCode = (app: App, tx: Tx, code: string): Promise<boolean> =>
  queries.isHashKnown(tx, hashesOfCode(app, code))

/** Returns the hash under which a new voucher's code is stored. */
export const hashVoucherCode = (app: App, code: string): Buffer => must(hashesOfCode(app, code)[0])

/** Returns the hashes, the present key's first, under which a code may be stored. Small letters, blanks, O for 0, I or L for 1 count. */
function hashesOfCode({ keys }: App, code: string): Buffer[] {
  const plain = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return digestKeys(keys).map((key) => createHmac('sha256', key).update(`voucher:${plain}`).digest())
}
