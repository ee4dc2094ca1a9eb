import { csvColumns, type CsvColumn } from '#features/banking/csv-profile.ts'
import { dayIn } from './csv-day.ts'
import { directionIn, stateIn } from './csv-words.ts'

/** A column of a file: its name, and the values in its first rows. */
export type Sample = { name: string; values: readonly string[] }

/** The names that banks give their columns, the likeliest first. */
const NAMES: Readonly<Record<CsvColumn, readonly RegExp[]>> = {
  date: [
    /^(?:buchungstag|buchungsdatum|booking ?date|boekdatum|posting date|rekeningdatum|abschlussdatum)$/,
    /^(?:buchung|datum|date|transaction date|transactiedatum|settlement date.*|completed date.*|finished on|date completed.*|data( księgowania)?|fecha.*|дата.*|tag)$/,
    /^(?:valuta|wertstellung.*|value ?date|valutadatum|rentedatum|created on|started date)$/,
  ],
  amount: [
    /^(?:betrag|umsatz|amount|bedrag|montant|importo|importe|kwota|сумма)(?: .*|\(.*)?$/,
    /^(?:total amount.*|einzelbetrag.*|lokale betrag.*)$/,
  ],
  debit: [
    /^(?:soll|debit|débit|debet|belastung|lastschrift|ausgang|paid out|money out|withdrawals?|auszahlung|addebiti|cargos?)(?: in .*| ?\(.*)?$/,
  ],
  credit: [
    /^(?:haben|credit|crédit|gutschrift|eingang|paid in|money in|deposits?|einzahlung|accrediti|abonos?)(?: in .*| ?\(.*)?$/,
  ],
  direction: [
    /^(?:soll\/haben|s\/h|af bij|debit\/credit|credit\/debit|d\/c|dc|kennzeichen|direction|richtung|side)(?: .*)?$/,
  ],
  state: [/^(?:status|state|buchungsstatus|info)$/],
  currency: [/^(?:w(?:ä|ae)hrung|currency|munt|devise|divisa|waluta|валюта|ccy)(?: .*)?$/],
  payer: [
    /^(?:name zahlungsbeteiligter|beg(?:ü|ue)nstigter.*|auftraggeber\s?\/.*|zahlungspflichtige\*?r|partner ?name|payer name|counterparty name|sender|naam.*|zahler)$/,
    /^(?:auftraggeber.*|payee|payer|name.*|source name|counterparty|empf(?:ä|ae)nger.*|плательщик)$/,
  ],
  iban: [
    /^(?:kontonummer\/iban|iban zahlungsbeteiligter|partner ?iban|iban|counterparty iban|tegenrekening|iban \/ kontonummer)$/,
    /^.*iban.*$/,
  ],
  text: [
    /^(?:verwendungszweck|payment reference|reference|zahlungsreferenz|omschrijving.*|mededelingen|remittance.*|zweck|назначение.*)$/,
    /^(?:buchungstext|description|text|mitteilungstext|avisierungstext|beschreibung\d*|details|libellé|opis.*)$/,
  ],
}

const plainly = (name: string) => name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Returns the number of names that a bank would give a column; 0 if neither a day nor money is among them. */
export function knownIn(header: readonly string[]): number {
  const known = new Set(header.flatMap((name) => columnsNamed(plainly(name))))
  const isNamed = known.has('date') || known.has('amount') || known.has('credit')
  return isNamed ? known.size : 0
}

const columnsNamed = (name: string): CsvColumn[] =>
  csvColumns.filter((column) => NAMES[column].some((pattern) => pattern.test(name)))

/** Returns the name of each column that is known by its name or its values; empty for the others. */
export function guessedColumns(samples: readonly Sample[]): Record<CsvColumn, string> {
  const named = (column: CsvColumn): string | undefined => {
    for (const pattern of NAMES[column]) {
      const found = samples.find(({ name }) => pattern.test(plainly(name)))
      if (found) return found.name
    }
    return undefined
  }
  const filled = (isSuch: (value: string) => boolean) =>
    samples.find(({ values }) => values.length > 0 && values.every(isSuch))?.name
  const saysDirection = (value: string) => directionIn(value) !== undefined
  const says = (name: string | undefined, isSuch: (value: string) => boolean) => {
    const values = samples.find((sample) => sample.name === name)?.values ?? []
    return name !== undefined && values.length > 0 && values.every(isSuch) ? name : undefined
  }
  const [debit, credit] = [named('debit'), named('credit')]
  // A column of amounts called 'Debit' says what left only beside one of what came in.
  const isPair = debit !== undefined && credit !== undefined
  const amount = named('amount')
  return {
    date:
      says(named('date'), () => true) ?? filled((value) => dayIn(value, 'dd/mm/yyyy') !== undefined) ?? '',
    amount: isPair ? '' : (amount ?? ''),
    debit: isPair ? debit : '',
    credit: isPair ? credit : '',
    direction: isPair ? '' : (says(named('direction'), saysDirection) ?? filled(saysDirection) ?? ''),
    state: says(named('state'), (value) => stateIn(value) !== undefined) ?? '',
    currency: says(named('currency'), (value) => /^[A-Z]{3}$/.test(value)) ?? '',
    payer: named('payer') ?? '',
    iban: named('iban') ?? '',
    text: named('text') ?? '',
  }
}
