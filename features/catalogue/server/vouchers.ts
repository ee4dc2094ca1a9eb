import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { ReplyOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import type { RequestedAct } from '#foundation/server/approvals/requested-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { placeInOrder } from '#foundation/server/database/order.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import * as finance from '#features/finance/server/finance.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/catalogue/contract.ts'
import { stateOf } from '#features/catalogue/rules.ts'

/** Answers `GET /api/staff/vouchers/`. */
export const list = handler(contract.listVouchers, async ({ app, query }) => {
  const { limit, cursor, sort } = query
  const { number } = placeKinds
  const after = placeInOrder(cursor, sort, { time: number, id: number })
  const rows = await finance.vouchersInOrder(app.db, { sort, after, limit: limit + 1 })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    (row) => [sort, row.place, String(row.id)],
    (row) => row,
  )
  return { status: 200, body: { items: await voucherReplies(app, app.db, items), next_cursor } }
})

/**
 * Answers `POST /api/staff/vouchers/`. The code is in the answer and nowhere else: the database and the waiting approval have only
 * its hash, and a replay of the call makes the same code again from the idempotency key, or has the chosen word with it.
 */
export const make = handler(contract.makeVoucher, async (call) => {
  const { app, actor, body, headers } = call
  const { note, uses, expires_at, word } = body
  const code = word?.toUpperCase() ?? finance.voucherCodeFor(app, actor.user_id, headers['idempotency-key'])
  const value = BigInt(body.amount)
  const reply: ReplyOf<typeof contract.makeVoucher> = await withApproval(
    contract.makeVoucher,
    call,
    voucherAct,
    async (tx) => {
      // A voucher that is known to be impossible is refused here, so that nobody is asked to approve it.
      await finance.assertRedeemable(app, tx, { code, amount: value })
      if (expires_at !== undefined && Date.parse(expires_at) <= Date.now())
        throw badRequest('invalid', 'expires_at')
      const code_hash = finance.hashVoucherCode(app, code).toString('hex')
      const input = { code_hash, value: value.toString(), uses, expires_at: expires_at ?? null }
      return { customer_id: null, amount: value * BigInt(uses), input, reason: note, links: [] }
    },
  )
  return reply.status === 201
    ? { ...reply, body: { ...reply.body, code } }
    : { ...reply, body: { ...reply.body, code } }
})

type Input = { code_hash: string; value: string; uses: number; expires_at: string | null }

type Asked = RequestedAct<Input> & { customer_id: null; amount: bigint }

/** The act of making a voucher; its `amount` is the voucher's value times its uses. */
export const voucherAct: ApprovableAct<Input, Asked> = {
  permission: contract.vouchersPermission,
  allowances: ({ staffAlone }) => staffAlone.vouchers,
  async run(app, tx, { input, reason }, by) {
    const { code_hash, value, uses, expires_at } = input
    const voucher = {
      code_hash: Buffer.from(code_hash, 'hex'),
      amount: BigInt(value),
      uses,
      expires: expires_at === null ? null : { at: new Date(expires_at) },
      note: reason,
    }
    const row = await finance.issueVoucher(app, tx, voucher, by)
    const [reply] = await voucherReplies(app, tx, [row])
    return { body: { voucher: reply }, result: { voucher_id: row.id.toString() } }
  },
  preview: (_app, { input }) =>
    Promise.resolve([{ code: 'voucher', params: { value: input.value, uses: String(input.uses) } }]),
}

/** Answers `POST /api/staff/vouchers/{id}/void/`. */
export const voidOne = handler(contract.voidVoucher, async ({ app, actor, caller, params, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const wanted = { id: BigInt(params.id), reason: body.reason }
  return transaction(app, 'system', async (tx) => {
    const row = await finance.voidVoucher(tx, wanted, who)
    const [reply] = await voucherReplies(app, tx, [row])
    return { status: 200, body: must(reply) } as const
  })
})

async function voucherReplies(
  app: App,
  db: App['db'],
  rows: readonly finance.MadeVoucher[],
): Promise<contract.MadeVoucher[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ made_by }) => made_by),
  )
  return rows.map((row) => ({
    id: row.id.toString(),
    amount: toMoney(row.amount, row.currency),
    uses: row.uses,
    used: row.used,
    note: row.note,
    state: stateOf(row),
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    made_by: row.made_by === null ? null : names.of(row.made_by),
    voided_at: row.voided_at?.toISOString() ?? null,
    void_reason: row.void_reason,
  }))
}
