import type { LedgerSum } from '#features/finance/server/finance.ts'
import type { DocumentRow } from '#features/invoices/server/invoices.ts'
import type { AccountName } from './accounts.ts'
import type { Posting } from './postings.ts'

/** The sums of the postings, added up while the postings are written; minor units. */
export type Tally = {
  debit: Record<AccountName, bigint>
  credit: Record<AccountName, bigint>
  /** VAT in the documents, by country. */
  vat: Map<string, bigint>
  rows: number
}

export function newTally(): Tally {
  return { debit: { ...NOTHING }, credit: { ...NOTHING }, vat: new Map(), rows: 0 }
}

const NOTHING: Readonly<Record<AccountName, bigint>> = {
  prepaid: 0n,
  clearing: 0n,
  home: 0n,
  oss: 0n,
  reverse_charge: 0n,
  outside: 0n,
  small_business: 0n,
  promotion: 0n,
}

export function addPosting(tally: Tally, { side, account, against, amount }: Posting): void {
  const isDebit = side === 'S'
  tally.debit[isDebit ? account : against] += amount
  tally.credit[isDebit ? against : account] += amount
  tally.rows += 1
}

export function addVat({ vat: tally }: Tally, { kind, vat, vat_country }: DocumentRow): void {
  const signed = kind === 'invoice' ? vat : -vat
  if (signed !== 0n) tally.set(vat_country, (tally.get(vat_country) ?? 0n) + signed)
}

/** A sum of the file (`written`) and the same sum of the ledger, in minor units; if they differ, the file must not be used. */
export type Comparison = {
  name: 'prepaid' | 'clearing' | 'promotion' | 'revenue' | 'vat'
  country: string
} & {
  written: bigint
  ledger: bigint
}

const REVENUE = ['home', 'oss', 'reverse_charge', 'outside', 'small_business'] as const

/**
 * Compares the accounts of the file with those of the ledger: customers' balances, payments, promotions, and revenue including its VAT,
 * because the file posts revenue gross. Compares VAT by country, too.
 */
export function comparisonsOf({ debit, credit, vat }: Tally, sums: readonly LedgerSum[]): Comparison[] {
  const booked = (kinds: readonly LedgerSum['kind'][], country?: string) =>
    sums
      .filter((sum) => kinds.includes(sum.kind) && (country === undefined || sum.country === country))
      .reduce((total, { amount }) => total + amount, 0n)
  const written = (names: readonly AccountName[]) =>
    names.reduce((total, name) => total + credit[name] - debit[name], 0n)
  const countries = new Set([
    ...vat.keys(),
    ...sums.filter(({ kind }) => kind === 'vat').map((sum) => sum.country),
  ])
  return [
    { name: 'prepaid', country: '', written: written(['prepaid']), ledger: booked(['customer']) },
    { name: 'clearing', country: '', written: written(['clearing']), ledger: booked(['payments']) },
    { name: 'promotion', country: '', written: written(['promotion']), ledger: booked(['promotions']) },
    { name: 'revenue', country: '', written: written(REVENUE), ledger: booked(['revenue', 'vat']) },
    ...[...countries].toSorted().map((country) => ({
      name: 'vat' as const,
      country,
      written: vat.get(country) ?? 0n,
      ledger: booked(['vat'], country),
    })),
  ]
}
