import { decimalText, digitsOf, toMoney } from '#foundation/money.ts'
import type { Datev } from './accounts.ts'
import { columns, isText } from './columns.ts'
import type { Posting } from './postings.ts'
import { withinWindows1252 } from './windows-1252.ts'

/** The most rows that DATEV reads from one file. */
export const MOST_ROWS = 99_999

const TEXT_LENGTH = 60
const EU_LENGTH = 15

export type Batch = {
  datev: Datev
  currency: string
  /** A month as `2026-11`. */
  month: string
  first_day: string
  last_day: string
  made_at: Date
}

/** Returns the two lines above the rows: the description of the batch, and the names of its columns. */
export function headOf({ datev, currency, month, first_day, last_day, made_at }: Batch): string {
  const plain = (day: string) => day.replaceAll('-', '')
  const fields = [
    quoted('EXTF'),
    '700',
    '21',
    quoted('Buchungsstapel'),
    '13',
    made_at.toISOString().replaceAll(/\D/g, '').padEnd(17, '0'),
    '',
    quoted('HD'),
    quoted(''),
    quoted(''),
    datev.adviser,
    datev.client,
    `${month.slice(0, 4)}0101`,
    String(datev.accounts.prepaid.length),
    plain(first_day),
    plain(last_day),
    quoted(`Hostdesk ${month}`),
    quoted(''),
    '1',
    '0',
    NOT_LOCKED,
    quoted(currency),
    '',
    quoted(''),
    '',
    '',
    quoted(datev.chart.slice(-2)),
    '',
    '',
    quoted(''),
    quoted(''),
  ]
  return `${fields.join(';')}\r\n${columns.join(';')}\r\n`
}

// The tax adviser locks the batch: a batch that arrives locked can be corrected only by reversals. An empty field would lock it, too.
const NOT_LOCKED = '0'

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

const empty = columns.map((column) => (isText(column) ? quoted('') : ''))
const placeOf = (column: string): number => {
  const place = columns.indexOf(column)
  if (place < 0) throw new Error(`DATEV has no column '${column}'`)
  return place
}
const places = {
  amount: placeOf('Umsatz (ohne Soll/Haben-Kz)'),
  side: placeOf('Soll/Haben-Kennzeichen'),
  currency: placeOf('WKZ Umsatz'),
  account: placeOf('Konto'),
  against: placeOf('Gegenkonto (ohne BU-Schlüssel)'),
  day: placeOf('Belegdatum'),
  number: placeOf('Belegfeld 1'),
  text: placeOf('Buchungstext'),
  eu: placeOf('EU-Land u. UStID (Bestimmung)'),
  rate: placeOf('EU-Steuersatz (Bestimmung)'),
  locked: placeOf('Festschreibung'),
  served: placeOf('Leistungsdatum'),
  taxed: placeOf('Datum Zuord. Steuerperiode'),
  info: placeOf('Zusatzinformation - Art 1'),
}

/** Returns the line of one posting, in letters that Windows-1252 has. */
export function rowOf(posting: Posting, { datev, currency }: Pick<Batch, 'datev' | 'currency'>): string {
  const { amount, side, account, against, day, number, text, eu, rate_bp, customer, service } = posting
  const row = [...empty]
  row[places.amount] = amountText(amount, currency)
  row[places.side] = quoted(side)
  row[places.currency] = quoted(currency)
  row[places.account] = datev.accounts[account]
  row[places.against] = datev.accounts[against]
  row[places.day] = `${day.slice(8)}${day.slice(5, 7)}`
  row[places.number] = quoted(number)
  row[places.text] = quoted(withinWindows1252(text).slice(0, TEXT_LENGTH))
  row[places.eu] = quoted(withinWindows1252(eu).slice(0, EU_LENGTH))
  row[places.rate] = rate_bp === undefined ? '' : rateText(rate_bp)
  row[places.locked] = NOT_LOCKED
  row.splice(places.info, 2, quoted('Kunde'), quoted(customer))
  if (service) {
    const period = `${dayText(service.first_day, '.')} - ${dayText(service.last_day, '.')}`
    row.splice(places.info + 2, 2, quoted('Leistungszeitraum'), quoted(period))
    // VAT is due when it is paid in advance (§ 13(1) no. 1(a) UStG), and not when the service ends; DATEV asks for both days or none.
    row[places.served] = dayText(service.last_day)
    row[places.taxed] = dayText(day)
  }
  return `${row.join(';')}\r\n`
}

/** Returns an amount as '1234,50', also for a currency without decimals. Throws for an amount that DATEV has no way to write. */
function amountText(amount: bigint, currency: string): string {
  const text = decimalText(toMoney(amount, currency))
  const all = digitsOf(currency) === 0 ? `${text}.00` : text
  if (!/^\d{1,10}\.\d\d$/.test(all)) throw new Error(`DATEV has no way to write ${text} ${currency}`)
  return all.replace('.', ',')
}

/** '2026-11-30' is '30112026', or '30.11.2026'. */
const dayText = (day: string, between = ''): string => day.split('-').toReversed().join(between)

/** 1900n is '19,00', 550n is '05,50'. */
const rateText = (rate_bp: bigint): string =>
  `${String(rate_bp / 100n).padStart(2, '0')},${String(rate_bp % 100n).padStart(2, '0')}`
