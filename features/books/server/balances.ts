import * as contract from '#features/books/contract.ts'
import type { DebtOfCustomer } from '#features/books/shapes.ts'
import { balancesAt, type BalanceRow } from '#features/finance/server/finance.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { debtsSince } from '#features/licences/server/licences.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'

const LARGEST = 50

/** Answers `GET /api/staff/books/balances/`. */
export const balances = handler(contract.getBalances, async ({ app, query }) => {
  const { day, rows } = await balancesOf(app, query)
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const sumOf = (value: (row: BalanceRow) => bigint) => money(rows.reduce((sum, row) => sum + value(row), 0n))
  const largest = rows.slice(0, LARGEST)
  const debts = await debtsOf(app, day, rows.toReversed().slice(0, LARGEST))
  const names = await namesOf(app, [...largest, ...debts])
  const body = {
    day,
    owed: sumOf(({ balance }) => (balance > 0n ? balance : 0n)),
    gifts: sumOf(({ gift }) => gift),
    debts: sumOf(({ balance }) => (balance < 0n ? -balance : 0n)),
    customers: rows.length,
    largest: largest.map(({ user_id, balance, gift }) => ({
      customer: names.of(user_id),
      balance: money(balance),
      gift: money(gift),
    })),
    debtors: debts.map((debt) => debtReply(app, debt, names)),
  }
  return { status: 200, body }
})

/** Answers `GET /api/staff/books/balances.csv`. */
export const downloadBalances = handler(contract.downloadBalances, async ({ app, actor, query, reply }) => {
  const locale = (await findUser(app.db, actor.user_id))?.locale ?? 'en'
  const { day, rows } = await balancesOf(app, query)
  const names = await namesOf(app, rows)
  const debts = new Map((await debtsOf(app, day, rows)).map((debt) => [debt.user_id, debt]))
  const { currency } = app.config
  const amount = (minor: bigint) => decimalText(toMoney(minor, currency))
  const head = [
    m.books_customer({}, { locale }),
    m.books_customer_id({}, { locale }),
    m.books_balance({}, { locale }),
    m.books_of_it_gift({}, { locale }),
    m.books_of_it_money({}, { locale }),
    m.books_currency({}, { locale }),
    m.books_owes_since({}, { locale }),
    m.books_owes_days({}, { locale }),
  ]
  const lines = rows.map(({ user_id, balance, gift }) =>
    csvLine([
      textCell(names.of(user_id).name),
      user_id,
      amount(balance),
      amount(gift),
      amount(balance - gift),
      currency,
      dayOrNone(debts.get(user_id)?.since, app.config.timeZone),
      String(debts.get(user_id)?.days ?? ''),
    ]),
  )
  return sendCsv(reply, `balances-${day}.csv`, csvFile(head, lines))
})

/** The debts of customers at the end of a day, the oldest first, for the command line. */
export async function debtors(app: App, query: { day?: string | undefined }) {
  const { day, rows } = await balancesOf(app, query)
  const debts = await debtsOf(app, day, rows)
  const names = await namesOf(app, debts)
  return debts.map((debt) => debtReply(app, debt, names))
}

type Names = Awaited<ReturnType<typeof namesOf>>

const debtReply = (
  { config }: App,
  { user_id, balance, since, days }: Debt,
  names: Names,
): DebtOfCustomer => ({
  customer: names.of(user_id),
  debt: toMoney(-balance, config.currency),
  since: since?.toISOString() ?? null,
  days,
})

async function balancesOf({ db, config }: App, query: { day?: string | undefined }) {
  const { timeZone: time_zone, currency } = config
  const day = query.day ?? dayIn(new Date(), time_zone)
  return { day, rows: await balancesAt(db, { day, time_zone, currency }) }
}

type Debt = BalanceRow & { since: Date | undefined; days: number | null }

/** Returns the debts among these balances at the end of a day, the oldest first. */
async function debtsOf({ db, config }: App, day: string, rows: readonly BalanceRow[]): Promise<Debt[]> {
  const owing = rows.filter(({ balance }) => balance < 0n)
  const time_zone = config.timeZone
  const ids = owing.map(({ user_id }) => user_id)
  const began = owing.length === 0 ? new Map<string, Date>() : await debtsSince(db, ids, { day, time_zone })
  const debts = owing.map((row) => {
    const since = began.get(row.user_id)
    const days = since ? daysBetween(dayIn(since, time_zone), day) : null
    return { ...row, since, days }
  })
  return debts.toSorted((one, other) => (other.days ?? -1) - (one.days ?? -1))
}

const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000)

const dayOrNone = (time: Date | undefined, time_zone: string): string => (time ? dayIn(time, time_zone) : '')

const namesOf = (app: App, rows: readonly Pick<BalanceRow, 'user_id'>[]) =>
  displayNames(
    app,
    app.db,
    rows.map(({ user_id }) => user_id),
  )
