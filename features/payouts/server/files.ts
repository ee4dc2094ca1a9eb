import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { setDownloadHeaders } from '#foundation/server/http/download-headers.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { placeInOrder } from '#foundation/server/database/order.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import { randomReference } from '#foundation/server/random-id.ts'
import { bankAccountIn } from '#features/finance/server/finance.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { displayNames, mayBeOne } from '#features/profile/server/profile.ts'
import * as contract from '#features/payouts/staff-contract.ts'
import { accountOf, type TypedAccount } from './accounts.ts'
import { sendPayout } from './end.ts'
import * as queries from './file-queries.ts'
import { lockPayout } from './queries.ts'
import { writeSepaFile } from './sepa-file.ts'

const MOST = 500

/** Answers `GET /api/staff/payout-files/`. */
export const listFiles = handler(contract.listPayoutFiles, async ({ app, query }) => {
  const { limit, cursor, sort } = query
  const after = placeInOrder(cursor, sort, { time: placeKinds.number, id: placeKinds.text })
  const rows = await queries.filesInOrder(app.db, { sort, after, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    ({ place, id }) => [sort, place, id],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await toReplies(app, app.db, page.items) } }
})

/** Answers `POST /api/staff/payout-files/`. Nobody sends money to themselves. */
export const makeFile = handler(contract.makePayoutFile, (call) => {
  const { app, actor, caller } = call
  const work = async (tx: Tx) => {
    const file = await fileOfWaiting(app, tx, actor.user_id)
    const detail = { by: actor.user_id, file: file.id, amount: file.total.toString() }
    await recordAction(tx, { user_id: null, act: 'payouts.file_made', ...originOf(caller), detail })
    return { status: 201, body: await toReply(app, tx, file) } as const
  }
  return withIdempotencyKey(contract.makePayoutFile, call, work, 'system')
})

/**
 * Puts the payouts that wait into a new file. `by` is the member of staff, whose own payouts are left out; null for the command line. Throws
 * 409 `no_payouts_wait`.
 */
export async function fileOfWaiting(app: App, tx: Tx, by: string | null): Promise<queries.ListedFile> {
  const waiting = await otherThan(app, tx, by, await queries.lockWaiting(tx, MOST))
  if (waiting.length === 0) throw new HttpError(409, [{ code: 'no_payouts_wait' }])
  const { currency, bankAccount } = app.config
  const payer = bankAccountIn(bankAccount)
  const file = {
    payer_name: payer?.name ?? null,
    payer_iban: payer?.iban ?? null,
    payer_bic: payer?.bic ?? null,
    payouts: waiting.length,
    total: waiting.reduce((sum, { amount }) => sum + amount, 0n),
    currency,
    created_by: by,
  }
  let id: string
  do id = randomReference('PF')
  while (!(await queries.insertFile(tx, { id, ...file })))
  const put = await queries.putInto(
    tx,
    id,
    waiting.map((one) => one.id),
  )
  if (put !== waiting.length) throw new Error(`${put} of ${waiting.length} payouts are in the file ${id}`)
  return must(await queries.fileWith(tx, id))
}

/** Answers `GET …/payout-files/{id}/sepa.xml`. */
export const sepaFile = handler(contract.getSepaFile, async ({ app, params, reply }) => {
  const content = await sepaContent(app, params.id)
  void setDownloadHeaders(reply)
    .header('content-type', 'application/xml; charset=utf-8')
    .header('content-disposition', `attachment; filename="${params.id}.xml"`)
    .send(content)
  return null
})

/** Returns a file of payouts for the bank. Throws 404, 409 `payout_file_not_sepa` and `payout_file_erased`. */
export async function sepaContent(app: App, id: string): Promise<string> {
  const { file, transfers } = await contentOf(app, id)
  if (!isSepa(file)) throw new HttpError(409, [{ code: 'payout_file_not_sepa' }])
  const { payer_name: name, payer_iban: iban, payer_bic: bic } = file
  const payer = { name: must(name), iban: must(iban), bic: bic ?? '' }
  const day = dayIn(file.created_at, app.config.timeZone)
  return writeSepaFile({ id, created_at: file.created_at, day, payer, transfers })
}

/** Answers `GET …/payout-files/{id}/payouts.csv`. */
export const payoutCsv = handler(contract.getPayoutCsv, async ({ app, params, reply }) => {
  const { transfers } = await contentOf(app, params.id)
  const head = ['reference', 'requested_at', 'holder', 'iban', 'amount', 'currency']
  const lines = transfers.map(({ reference, created_at, holder, iban, amount, currency }) =>
    csvLine([
      reference,
      created_at.toISOString(),
      textCell(holder),
      iban,
      decimalText(toMoney(amount, currency)),
      currency,
    ]),
  )
  return sendCsv(reply, `${params.id}.csv`, csvFile(head, lines))
})

type Filed = queries.FiledPayout & TypedAccount

async function contentOf(app: App, id: string): Promise<{ file: queries.FileRow; transfers: Filed[] }> {
  const file = await queries.fileWith(app.db, id)
  if (!file) throw notFound()
  const rows = await queries.payoutsIn(app.db, id)
  const transfers = rows.flatMap((row) => {
    const account = accountOf(app, row)
    return account === null ? [] : [{ ...row, ...account }]
  })
  if (transfers.length < rows.length) throw new HttpError(409, [{ code: 'payout_file_erased' }])
  return { file, transfers }
}

/** Answers `POST …/payout-files/{id}/sent/`: the bank has taken the file. Payouts that failed meanwhile stay so; own payouts stay under way. */
export const markFileSent = handler(contract.markFileSent, ({ app, actor, caller, params }) =>
  transaction(app, 'system', async (tx) => {
    if (!(await queries.fileWith(tx, params.id))) throw notFound()
    const open = await otherThan(app, tx, actor.user_id, await queries.underWayIn(tx, params.id))
    for (const { public_id } of open) {
      const row = must(await lockPayout(tx, public_id))
      if (row.state !== 'requested') continue
      await sendPayout(app, tx, row)
      const detail = { by: actor.user_id, reference: row.reference, amount: row.amount.toString() }
      await recordAction(tx, { user_id: row.user_id, act: 'payouts.sent', ...originOf(caller), detail })
    }
    return { status: 200, body: await toReply(app, tx, must(await queries.fileWith(tx, params.id))) } as const
  }),
)

/** Leaves out what belongs to the member, or to an account that may be theirs. The command line is nobody. */
async function otherThan<Row extends { user_id: string }>(
  app: App,
  tx: Tx,
  by: string | null,
  rows: readonly Row[],
): Promise<Row[]> {
  if (by === null) return [...rows]
  const own = new Set<string>()
  for (const user_id of new Set(rows.map((row) => row.user_id)))
    if (await mayBeOne(app, tx, by, user_id)) own.add(user_id)
  return rows.filter(({ user_id }) => !own.has(user_id))
}

const isSepa = ({ currency, payer_iban }: queries.FileRow): boolean =>
  currency === 'EUR' && payer_iban !== null

async function toReply(app: App, db: App['db'], row: queries.ListedFile): Promise<contract.PayoutFile> {
  return must((await toReplies(app, db, [row]))[0])
}

async function toReplies(
  app: App,
  db: App['db'],
  rows: readonly queries.ListedFile[],
): Promise<contract.PayoutFile[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => ({
    id: row.id,
    payouts: row.payouts,
    total: toMoney(row.total, row.currency),
    under_way: row.under_way,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by === null ? null : names.of(row.created_by),
    is_sepa: isSepa(row),
    is_erased: row.is_erased,
  }))
}
