import { assertNotOwn } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest, notFound } from '#foundation/server/http/http-error.ts'
import { count } from '#foundation/server/limits/limits.ts'
import type { promoConflicts } from '#features/licences/promo-fields.ts'
import { editionBySlug } from './edition-queries.ts'
import type { Promo } from './promo-price.ts'
import * as queries from './promo-queries.ts'
import type { NewPromoCode, PromoCode } from './promo-queries.ts'

export { promoByCode, promosInOrder, type PromoCode } from './promo-queries.ts'

/** Counts an attempt of an account, or of a network, with a code before it is read, and uncounts it unless the code is unknown: the attack is guessing. */
export async function countingTries<Result>(
  app: App,
  key: string,
  code: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (code === undefined) return work()
  const attempt = await count(app, app.db, 'promo', key)
  if (!attempt.allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], attempt.retry_after_s)
  try {
    const result = await work()
    await attempt.release()
    return result
  } catch (error) {
    if (!isUnknown(error)) await attempt.release()
    throw error
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof HttpError && error.errors.some(({ code }) => code === 'unknown_promo')

type Found = Pick<PromoCode, 'id' | 'expires_at'> & { promo: Promo }

/**
 * Returns a code that this account, or a new one (null), may use now. Throws 400 `unknown_promo`, 403 `own_account` for the member of staff who made it (or an
 * account linked to them), 409 `promo_expired`, `promo_used_up`, `promo_used` or `promo_first_order_only`. `takePromo` counts the use.
 */
export async function findPromo(
  app: App,
  db: App['db'],
  user_id: string | null,
  typed: string,
): Promise<Found> {
  const found = await queries.promoByCode(db, plainCode(typed))
  if (!found || found.currency !== app.config.currency) throw badRequest('unknown_promo', 'promo')
  // The attack is a member of staff who sells to themselves for nothing (decision 065).
  const people = user_id === null ? [] : [user_id, app.acting?.person_id ?? user_id]
  for (const one of new Set(people)) if (found.made_by !== null) await assertNotOwn(db, found.made_by, one)
  if (found.ended_at !== null || found.is_expired) throw refused('promo_expired')
  if (await queries.hasUsed(db, found.id, user_id)) throw refused('promo_used')
  if (found.used >= found.uses) throw refused('promo_used_up')
  if (found.first_order_only && (await queries.hasPaidOrder(db, user_id)))
    throw refused('promo_first_order_only')
  return { id: found.id, expires_at: found.expires_at, promo: promoOf(found) }
}

/**
 * Counts the use of a code by an order, before any balance is locked (rule 9), and returns it; throws as `findPromo`. Orders with one code
 * take turns. Without this lock the table's keys would refuse the others as well, but with a 500.
 */
export async function takePromo(app: App, tx: Tx, user_id: string, typed: string): Promise<Promo> {
  const code = plainCode(typed)
  await lockByName(tx, `promo:${code}`)
  const { id, promo } = await findPromo(app, tx, user_id, code)
  const { uses, used } = must(await queries.promoById(tx, id))
  await queries.insertPromoUse(tx, { promo_id: id, slot: used + 1, uses, user_id })
  return promo
}

/**
 * Throws 409 `promo_first_order_only` if another order has become the first since `takePromo`. The caller has locked the balance of the account, so
 * that no other order from it or with a code is paid until the commit. One without a code that a payer pays meanwhile is the second order: the
 * same as if it had come after this one.
 */
export async function assertStillFirst(tx: Tx, user_id: string, typed: string): Promise<void> {
  const found = await queries.promoByCode(tx, plainCode(typed))
  if (found?.first_order_only && (await queries.hasPaidOrder(tx, user_id)))
    throw refused('promo_first_order_only')
}

/** The refusal of a code that does not hold for the chosen edition. */
export const otherEdition = () => refused('promo_other_edition')

type Refusal = (typeof promoConflicts)[number]

const refused = (code: Refusal) => new HttpError(409, [{ code, param: 'promo' }])

const promoOf = ({ code, percent, amount, editions, renewals }: PromoCode): Promo => ({
  code,
  percent,
  amount: amount === null ? null : amount.toString(),
  editions,
  left: renewals,
})

/** A code as it is stored: people type small letters and blanks. */
const plainCode = (typed: string): string => typed.toUpperCase().replaceAll(/\s/g, '')

/** The member of staff by id, or null for the command line, and the origin of the request. */
type Who = { by: string | null; origin?: { ip: string; user_agent: string; request_id: string } }

/** Makes a promo code, with a line in the audit. Throws 409 `promo_code_taken`, 400 `unknown_edition`. */
export async function makePromoCode(
  app: App,
  tx: Tx,
  wanted: Omit<NewPromoCode, 'currency' | 'made_by' | 'code'> & { code: string },
  { by, origin }: Who,
): Promise<PromoCode> {
  const code = plainCode(wanted.code)
  for (const slug of wanted.editions ?? [])
    if (!(await editionBySlug(tx, slug))) throw badRequest('unknown_edition', 'editions')
  const id = await queries.insertPromoCode(tx, {
    ...wanted,
    code,
    currency: app.config.currency,
    made_by: by,
  })
  if (id === undefined) throw new HttpError(409, [{ code: 'promo_code_taken', param: 'code' }])
  const { percent, amount, editions, first_order_only, renewals, uses, note } = wanted
  const detail = {
    by: by ?? 'command line',
    promo_code: code,
    lowers: percent === null ? (amount ?? 0n).toString() : `${percent} %`,
    editions: editions?.join(', ') ?? '',
    first_order_only,
    renewals,
    uses,
    note,
  }
  await recordAction(tx, { user_id: null, act: 'promo_code.made', ...origin, detail })
  return must(await queries.promoById(tx, id))
}

/** Ends a code: no order can use it from now on, and licences that have it keep it. An ended code stays as it is. Throws 404. */
export async function endPromoCode(tx: Tx, id: bigint, { by, origin }: Who): Promise<PromoCode> {
  const found = await queries.promoById(tx, id)
  if (!found) throw notFound()
  await lockByName(tx, `promo:${found.code}`)
  if (must(await queries.promoById(tx, id)).ended_at === null) {
    await queries.setEnded(tx, id, by)
    const detail = { by: by ?? 'command line', promo_code: found.code, used: found.used }
    await recordAction(tx, { user_id: null, act: 'promo_code.ended', ...origin, detail })
  }
  return must(await queries.promoById(tx, id))
}
