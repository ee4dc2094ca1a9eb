import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { findUser } from '#foundation/server/session/session.ts'
import {
  transfersCalled,
  transfersNamed,
  transfersOf,
  type BankTransfer,
} from '#features/finance/server/finance.ts'
import type { BankCandidate, BankLine } from '#features/banking/contract.ts'
import { referencesIn } from '#features/banking/rules.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

const MOST_CANDIDATES = 9

/** Returns the payments of these rows as staff see them, each with the transfers that the payment may be for. */
export async function lineReply(app: App, db: App['db'], rows: readonly LineRow[]): Promise<BankLine[]> {
  const open = rows.filter(({ state }) => state === 'open')
  const references = new Map(open.map((row) => [row.id, referencesIn([row.text, row.end_to_end])]))
  const payers = await queries.payersOf(
    db,
    open.map(({ iban }) => iban),
  )
  const [called, named, waiting, earlier] = await Promise.all([
    transfersCalled(
      db,
      rows.flatMap(({ top_up }) => top_up ?? []),
    ),
    transfersNamed(db, [...references.values()].flat()),
    transfersOf(db, [...new Set(payers.values())]),
    queries.withStatements(
      db,
      rows.flatMap(({ same_as }) => same_as ?? []),
    ),
  ])
  const people = [...called, ...named, ...waiting, ...rows].flatMap(({ user_id }) => user_id ?? [])
  const emails = await emailsOf(db, new Set(people))
  const person = (id: string) => ({ id, email: emails.get(id) ?? '' })
  return rows.map((row): BankLine => {
    const likely = [
      ...called.filter(({ id }) => id === row.top_up),
      ...named.filter(({ reference }) => references.get(row.id)?.includes(reference)),
      ...(row.state === 'open' && row.amount > 0n
        ? waiting.filter(({ user_id }) => user_id === payers.get(row.iban))
        : []),
    ]
    const candidates = [...new Map(likely.map((one) => [one.id, one])).values()].slice(0, MOST_CANDIDATES)
    return {
      id: row.id,
      booked_on: row.booked_on,
      amount: toMoney(row.amount, row.currency),
      name: row.name,
      iban: row.iban,
      text: row.text,
      match: row.match,
      cause: row.cause,
      state: row.state,
      customer: row.user_id === null || row.state !== 'booked' ? null : person(row.user_id),
      same_as: earlierReply(row.same_as === null ? undefined : earlier.get(row.same_as)),
      candidates: candidates.map((one) => candidateReply(app, one, person(one.user_id))),
    }
  })
}

const earlierReply = (earlier: queries.Earlier | undefined): BankLine['same_as'] =>
  earlier
    ? {
        line: earlier.place,
        statement_id: earlier.statement_id,
        imported_at: earlier.imported_at.toISOString(),
        state: earlier.state,
      }
    : null

/** Returns the primary email addresses of customers by user id. */
async function emailsOf(db: App['db'], ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const users = await Promise.all([...ids].map((id) => findUser(db, id)))
  return new Map(users.flatMap((user) => (user ? [[user.id, user.email] as const] : [])))
}

const candidateReply = (
  { config }: App,
  transfer: BankTransfer,
  customer: BankCandidate['customer'],
): BankCandidate => ({
  id: transfer.id,
  reference: transfer.reference,
  amount: toMoney(transfer.amount, config.currency),
  announced_at: transfer.created_at.toISOString(),
  paid: transfer.paid,
  customer,
})
