import type { App } from '#foundation/server/app.ts'
import { beginningOf } from './statement-queries.ts'
import { transactionsOf, type TransactionRow } from './transactions-queries.ts'

export type MonthOfLedger = { opening: bigint; closing: bigint; until: Date; rows: TransactionRow[] }

/**
 * The transactions of a customer in a month (2026-10) of the installation's time zone, oldest first, between the balances at its
 * ends; undefined if there are more than `most`.
 */
export async function monthOfLedger(
  { db, config }: App,
  user_id: string,
  month: string,
  most: number,
): Promise<MonthOfLedger | undefined> {
  const owner = { user_id, currency: config.currency }
  const { from, to, opening } = await beginningOf(db, owner, { month, time_zone: config.timeZone })
  const span = { from: from.toISOString(), to: to.toISOString() }
  const rows = await transactionsOf(db, owner, span, { before: undefined, limit: most + 1 })
  if (rows.length > most) return undefined
  const [last, first] = [rows[0], rows.at(-1)]
  // Something may have been booked since the opening was read: the rows themselves tell both balances.
  const began = first ? first.balance_after - first.amount : opening
  return { opening: began, closing: last?.balance_after ?? began, until: to, rows: rows.toReversed() }
}

/**
 * All transactions of a customer that were booked before `until`, oldest first: those after the number `after`, or where that is not given
 * those since `since`.
 */
export async function transactionsUntil(
  { config }: Pick<App, 'config'>,
  db: App['db'],
  user_id: string,
  { after, since, until }: { after: bigint | undefined; since: Date; until: Date },
): Promise<TransactionRow[]> {
  const owner = { user_id, currency: config.currency }
  const filter = {
    to: until.toISOString(),
    ...(after === undefined ? { from: since.toISOString() } : { after }),
  }
  const rows: TransactionRow[] = []
  for (;;) {
    const before = rows.at(-1)?.seq.toString()
    const page = await transactionsOf(db, owner, filter, { before, limit: PAGE })
    rows.push(...page)
    if (page.length < PAGE) return rows.toReversed()
  }
}

const PAGE = 1_000
