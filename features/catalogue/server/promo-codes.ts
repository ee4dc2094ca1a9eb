import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as licences from '#features/licences/server/licences.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/catalogue/promo-contract.ts'
import { promoStateOf } from '#features/catalogue/rules.ts'

/** Answers `GET /api/staff/promo-codes/`. */
export const list = handler(contract.listPromoCodes, async ({ app, query: { limit, cursor, sort } }) => {
  const [, id] = placeIn(cursor, [(part) => part === sort, placeKinds.number]) ?? []
  const after = id === undefined ? undefined : { id }
  const rows = await licences.promosInOrder(app.db, { sort, after, limit: limit + 1 })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    (row) => [sort, String(row.id)],
    (row) => row,
  )
  return { status: 200, body: { items: await promoReplies(app, app.db, items), next_cursor } }
})

/** Answers `POST /api/staff/promo-codes/`. A code is advertised: a call that is repeated is refused, as the code is taken then. */
export const make = handler(contract.makePromoCode, async ({ app, actor, caller, body }) => {
  const { percent = null, amount, editions = null, expires_at, ...rest } = body
  if ((percent === null) === (amount === undefined)) throw badRequest('required', 'percent')
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.now())
    throw badRequest('invalid', 'expires_at')
  const wanted = {
    ...rest,
    percent,
    amount: amount === undefined ? null : BigInt(amount),
    editions,
    expires_at: expires_at === undefined ? null : new Date(expires_at),
  }
  return transaction(app, 'system', async (tx) => {
    const row = await licences.makePromoCode(app, tx, wanted, { by: actor.user_id, origin: originOf(caller) })
    const [reply] = await promoReplies(app, tx, [row])
    return { status: 201, body: must(reply) } as const
  })
})

/** Answers `POST /api/staff/promo-codes/{id}/end/`. */
export const end = handler(contract.endPromoCode, async ({ app, actor, caller, params }) =>
  transaction(app, 'system', async (tx) => {
    const who = { by: actor.user_id, origin: originOf(caller) }
    const [reply] = await promoReplies(app, tx, [await licences.endPromoCode(tx, BigInt(params.id), who)])
    return { status: 200, body: must(reply) } as const
  }),
)

async function promoReplies(
  app: App,
  db: App['db'],
  rows: readonly licences.PromoCode[],
): Promise<contract.PromoCode[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ made_by }) => made_by),
  )
  return rows.map((row) => ({
    id: row.id.toString(),
    code: row.code,
    percent: row.percent,
    amount: row.amount === null ? null : toMoney(row.amount, row.currency),
    editions: row.editions,
    first_order_only: row.first_order_only,
    renewals: row.renewals,
    uses: row.uses,
    used: row.used,
    note: row.note,
    state: promoStateOf(row),
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    made_by: row.made_by === null ? null : names.of(row.made_by),
    ended_at: row.ended_at?.toISOString() ?? null,
  }))
}
