import type { Tx } from '#foundation/server/database/transaction.ts'
import {
  transfersCalled,
  transfersNamed,
  transfersOf,
  waitingReferences,
  type BankTransfer,
} from '#features/finance/server/finance.ts'
import { judge, nearSearch, referencesIn, type Cause } from '#features/banking/rules.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

/**
 * Finds the transfers that open payments may be for, and stores each match, in a few SQL statements for any number of payments. `same`
 * maps a payment to the earlier payment that it probably repeats, and `doubt` is another cause to look at it: a person decides about such a
 * payment, even if it is exact.
 */
export async function matchLines(
  tx: Tx,
  lines: readonly LineRow[],
  { same, doubt }: { same: ReadonlyMap<string, string>; doubt: (line: LineRow) => Cause | null },
): Promise<queries.Reading[]> {
  const references = new Map(lines.map((line) => [line.id, referencesIn([line.text, line.end_to_end])]))
  const called = byReference(await transfersNamed(tx, [...references.values()].flat()))
  const all = (found: readonly string[] = []) => found.flatMap((reference) => called.get(reference) ?? [])
  const named = new Map(lines.map(({ id }) => [id, all(references.get(id))]))
  // A reference that no transfer has may be mistyped.
  const without = lines.filter(({ id, amount }) => amount > 0n && named.get(id)?.length === 0)
  const near = await nearTransfers(tx, without)
  const returned = await returnedTransfers(tx, lines)
  const payer = await transfersOfPayers(tx, without)
  // If several payments name the same unpaid transfer, only the first can be exact: for the others the transfer counts as paid.
  const claimed = new Set<string>()
  const readings = lines.map((line): queries.Reading => {
    const same_as = same.get(line.id) ?? null
    const judged = judge(
      {
        amount: line.amount,
        named: (named.get(line.id) ?? []).map((one) => ({ ...one, paid: one.paid || claimed.has(one.id) })),
        near: near(line),
      },
      { payer: payer(line), returned: returned.get(line.id) },
    )
    const doubted = same_as === null ? doubt(line) : ('duplicate' as const)
    const { match, cause, top_up } =
      doubted === null ? judged : { ...judged, match: 'ambiguous' as const, cause: doubted }
    if (match === 'exact' && top_up) claimed.add(top_up.id)
    return {
      id: line.id,
      match,
      cause,
      top_up: top_up?.id ?? null,
      user_id: top_up?.user_id ?? null,
      same_as,
    }
  })
  await queries.saveReadings(tx, readings)
  return readings
}

const byReference = (transfers: readonly BankTransfer[]) =>
  new Map(transfers.map((transfer) => [transfer.reference, transfer]))

/** Returns a search for the unpaid transfers whose reference a payment has mistyped. */
async function nearTransfers(tx: Tx, lines: readonly LineRow[]): Promise<(line: LineRow) => BankTransfer[]> {
  if (lines.length === 0) return () => []
  const search = nearSearch(await waitingReferences(tx))
  const found = new Map(lines.map(({ id, text, end_to_end }) => [id, search([text, end_to_end])]))
  const transfers = byReference(await transfersNamed(tx, [...found.values()].flat()))
  return ({ id }) =>
    (found.get(id) ?? []).flatMap((reference) => transfers.get(reference) ?? []).filter(({ paid }) => !paid)
}

async function returnedTransfers(tx: Tx, lines: readonly LineRow[]): Promise<Map<string, BankTransfer>> {
  const found = await queries.returnedBy(
    tx,
    lines.filter(({ amount }) => amount < 0n),
  )
  const transfers = new Map(
    (await transfersCalled(tx, [...new Set(found.values())])).map((transfer) => [transfer.id, transfer]),
  )
  return new Map(
    [...found].flatMap(([line, top_up]) => {
      const transfer = transfers.get(top_up)
      return transfer ? [[line, transfer] as const] : []
    }),
  )
}

/** Returns a search for the waiting transfer of a payment's amount, by the customer for whom the payment's account paid last. */
async function transfersOfPayers(
  tx: Tx,
  lines: readonly LineRow[],
): Promise<(line: LineRow) => BankTransfer | undefined> {
  const payers = await queries.payersOf(
    tx,
    lines.map(({ iban }) => iban),
  )
  const waiting = payers.size > 0 ? await transfersOf(tx, [...new Set(payers.values())]) : []
  return ({ iban, amount }) => {
    const user_id = payers.get(iban)
    return waiting.find((transfer) => transfer.user_id === user_id && transfer.amount === amount)
  }
}
