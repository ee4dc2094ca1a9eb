import type { VatOfQuarter } from '#features/books/contract.ts'
import { quarterOf, unionCountry } from '#features/books/rules.ts'
import { vatOfQuarter } from '#features/books/server/vat-of-quarter.ts'
import { vatFile } from '#features/books/server/vat-csv.ts'
import { must } from '#foundation/must.ts'
import { amountOf, decimalText, minorUnits } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { csvLine } from '#foundation/csv.ts'
import type { ZippedFile } from '#foundation/server/zip.ts'
import { encodedText, type Outcome, type Wanted } from './wanted.ts'

/** Yields a table of a quarter's VAT and, for a German company with euros, the files for the OSS return and the EC sales list. */
export async function* vatReturnFiles(
  app: App,
  wanted: Wanted,
  outcome: Outcome,
): AsyncGenerator<ZippedFile> {
  const quarter = must(quarterOf(wanted.first_day, wanted.last_day))
  const report = await vatOfQuarter(app, quarter)
  outcome.rows = report.sales.length + report.corrections.length
  outcome.agrees = report.vat.amount === report.booked.amount
  const files = [[`vat-${quarter}.csv`, vatFile(report, wanted.locale)]]
  if (app.config.company.country === 'DE' && app.config.currency === 'EUR')
    files.push([`oss-${quarter}.csv`, ossReturn(report)], [`ec-sales-list-${quarter}.csv`, salesList(report)])
  for (const [path = '', text = ''] of files) yield { path, content: [encodedText(text)] }
}

/**
 * The sales of the one-stop shop as the portal of the Federal Central Tax Office imports them (services from Germany, record type 1).
 * Corrections of earlier quarters are entered there by hand.
 */
export function ossReturn({ sales }: Pick<VatOfQuarter, 'sales'>): string {
  const rows = sales.filter(
    ({ vat_kind, net, vat }) => vat_kind === 'oss' && net.amount !== '0' && vat.amount !== '0',
  )
  const lines = rows.map(({ country, vat_rate, net, vat }) =>
    csvLine([
      '1',
      unionCountry(country),
      'STANDARD',
      twoDigits(vat_rate),
      decimalText(net),
      decimalText(vat),
    ]),
  )
  return `#v2.0\r\n${lines.join('')}`
}

/** Returns '25.50' for '25.5'. */
function twoDigits(percent: string): string {
  const [whole = '', hundredths = ''] = percent.split('.')
  return `${whole}.${hundredths.padEnd(2, '0')}`
}

/**
 * The EC sales list: the net sales to each business elsewhere in the Union, in whole euros (S: services). Credit notes count in
 * the quarter in which they were issued, so that a sum may be below zero.
 */
export function salesList({ sales, corrections }: Pick<VatOfQuarter, 'sales' | 'corrections'>): string {
  const sums = new Map<string, bigint>()
  for (const { vat_kind, vat_id, net } of [...sales, ...corrections])
    if (vat_kind === 'reverse_charge' && vat_id !== '')
      sums.set(vat_id, (sums.get(vat_id) ?? 0n) + amountOf(net))
  const lines = [...sums]
    .map(([vat_id, minor]) => [vat_id, String(wholeEuros(minor)), 'S'])
    .filter(([, euros]) => euros !== '0')
  return `#v3.0\r\n${csvLine(['USt-IdNr.', 'Betrag (EUR)', 'Art der Leistung'])}${lines.map(csvLine).join('')}`
}

/** Returns an amount in whole euros, rounded half away from zero. */
function wholeEuros(minor: bigint): bigint {
  const one = minorUnits(1, 'EUR')
  const sign = minor < 0n ? -1n : 1n
  return (sign * (sign * minor + one / 2n)) / one
}
