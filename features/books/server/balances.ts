import * as contract from '#features/books/contract.ts'
import { balancesAt, type BalanceRow } from '#features/finance/server/finance.ts'
import { dayIn } from '#features/invoices/rules.ts'
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
  const names = await namesOf(app, largest)
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
  }
  return { status: 200, body }
})

/** Answers `GET /api/staff/books/balances.csv`. */
export const downloadBalances = handler(contract.downloadBalances, async ({ app, actor, query, reply }) => {
  const locale = (await findUser(app.db, actor.user_id))?.locale ?? 'en'
  const { day, rows } = await balancesOf(app, query)
  const names = await namesOf(app, rows)
  const { currency } = app.config
  const amount = (minor: bigint) => decimalText(toMoney(minor, currency))
  const head = [
    m.books_customer({}, { locale }),
    m.books_customer_id({}, { locale }),
    m.books_balance({}, { locale }),
    m.books_of_it_gift({}, { locale }),
    m.books_of_it_money({}, { locale }),
    m.books_currency({}, { locale }),
  ]
  const lines = rows.map(({ user_id, balance, gift }) =>
    csvLine([
      textCell(names.of(user_id).name),
      user_id,
      amount(balance),
      amount(gift),
      amount(balance - gift),
      currency,
    ]),
  )
  return sendCsv(reply, `balances-${day}.csv`, csvFile(head, lines))
})

async function balancesOf({ db, config }: App, query: { day?: string | undefined }) {
  const { timeZone: time_zone, currency } = config
  const day = query.day ?? dayIn(new Date(), time_zone)
  return { day, rows: await balancesAt(db, { day, time_zone, currency }) }
}

const namesOf = (app: App, rows: readonly BalanceRow[]) =>
  displayNames(
    app,
    app.db,
    rows.map(({ user_id }) => user_id),
  )
