import type { Tx } from '#foundation/server/database/transaction.ts'
import {
  transfersCalled,
  transfersNamed,
  transfersOf,
  waitingReferences,
  type BankTransfer,
} from '#features/finance/server/finance.ts'
import { judge, nearSearch, referencesIn } from '#features/banking/rules.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

/**
 * Finds for open payments the transfers that they may be for, and stores how sure that is: a few statements, however many payments
 * there are. `same` has the earlier payments that they probably repeat: those are for a person to decide, however exact.
 */
export async function matchLines(
  tx: Tx,
  lines: readonly LineRow[],
  same: ReadonlyMap<string, string>,
): Promise<queries.Reading[]> {
  const references = new Map(lines.map((line) => [line.id, referencesIn([line.text, line.end_to_end])]))
  const called = byReference(await transfersNamed(tx, [...references.values()].flat()))
  const all = (found: readonly string[] = []) => found.flatMap((reference) => called.get(reference) ?? [])
  const named = new Map(lines.map(({ id }) => [id, all(references.get(id))]))
  // A reference that nobody has may be a mistyped one.
  const without = lines.filter(({ id, amount }) => amount > 0n && named.get(id)?.length === 0)
  const near = await nearTransfers(tx, without)
  const returned = await returnedTransfers(tx, lines)
  const payer = await transfersOfPayers(tx, without)
  // The first of several payments for one transfer is the one that was meant, unless the transfer was paid before.
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
    const { match, cause, top_up } =
      same_as === null ? judged : { ...judged, match: 'ambiguous' as const, cause: 'duplicate' as const }
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

/** The transfers that wait with almost the reference of a payment. */
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

/** Payments without a reference whose payer has paid before: for the transfer of that customer that waits with this amount. */
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
