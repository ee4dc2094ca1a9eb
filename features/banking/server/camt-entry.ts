import type { OddReason } from '#features/banking/rules.ts'
import { cut, dayOf, plain } from './bank-text.ts'
import { amountsOfParts } from './camt-batch.ts'
import { amountOf, isDebit, signed } from './camt-values.ts'
import { meaningfulReference, type StatementLine } from './statement.ts'
import { all, textAt, type Element } from './xml-tree.ts'

export type EntryLine = Omit<StatementLine, 'place'>

/** The amount that an odd entry moves counts in the balances of its statement; null if it is not known. */
type ReadEntry = { lines: EntryLine[] } | { odd: OddReason; amount: bigint | null } | { pending: number }

const NOT_BOOKED = ['PDNG', 'INFO', 'FUTR']

/** Reads an entry: one payment, or each of a batch. It is odd if the bank's state, its day, its direction or its amount is not certain. */
export function readEntry(entry: Element, own: string): ReadEntry {
  const status = textAt(entry, ['Sts', 'Cd'], ['Sts', 'Prtry'], ['Sts']).toUpperCase()
  const details = all(entry, 'NtryDtls', 'TxDtls')
  if (NOT_BOOKED.includes(status)) return { pending: Math.max(1, details.length) }
  const left = isDebit(entry)
  const money = amountOf(entry, 'Amt')
  const amount = money && money.currency === own && left !== undefined ? signed(money.amount, left) : null
  if (status !== 'BOOK') return { odd: 'state_unclear', amount: null }
  if (left === undefined) return { odd: 'direction_unclear', amount }
  if (!money) return { odd: 'amount_unclear', amount }
  if (amount === null) return { odd: 'wrong_currency', amount }
  const booked_on = dayOf(
    textAt(entry, ['BookgDt', 'Dt'], ['BookgDt', 'DtTm'], ['ValDt', 'Dt'], ['ValDt', 'DtTm']),
  )
  if (booked_on === null) return { odd: 'day_unclear', amount }
  const whole = { booked_on, amount, currency: own }
  return { lines: linesOf(entry, details, whole).filter((line) => line.amount !== 0n) }
}

type Whole = { booked_on: string; amount: bigint; currency: string }

/** The whole entry stands first: its parts are what it is made of only if they add up to it. */
function linesOf(entry: Element, details: readonly Element[], whole: Whole): EntryLine[] {
  const [detail = entry] = details
  const told = Number(textAt(entry, ['NtryDtls', 'Btch', 'NbOfTxs'])) || details.length
  // A single payment has the amount of its entry: the detail may state it in the payer's currency.
  if (details.length <= 1 && told <= 1) return [lineOf(entry, detail, whole)]
  const parts = details.length === told ? amountsOfParts(details, whole) : undefined
  if (!parts) return [{ ...lineOf(entry, entry, whole), doubt: 'batch_not_split' }]
  return details.map((one, place) => ({
    ...lineOf(entry, one, { ...whole, amount: parts[place] ?? 0n }),
    batch_amount: whole.amount,
  }))
}

function lineOf(entry: Element, detail: Element, { booked_on, amount, currency }: Whole): EntryLine {
  // The other party: the payer of money received, or the payee of money sent.
  const [party, account] = amount > 0n ? ['Dbtr', 'DbtrAcct'] : ['Cdtr', 'CdtrAcct']
  const name = textAt(detail, ['RltdPties', party, 'Nm'], ['RltdPties', party, 'Pty', 'Nm'])
  const iban = plain(textAt(detail, ['RltdPties', account, 'Id', 'IBAN']))
  const remittance = [
    ...all(detail, 'RmtInf', 'Ustrd'),
    ...all(detail, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    ...all(detail, 'RmtInf', 'Strd', 'AddtlRmtInf'),
  ].map(({ text }) => text.trim())
  const told = remittance.filter((text) => text !== '').join(' ') || textAt(detail, ['AddtlTxInf'])
  const bank_ref = textAt(entry, ['AcctSvcrRef']) || textAt(detail, ['Refs', 'AcctSvcrRef'])
  return {
    booked_on,
    amount,
    currency,
    name: cut(name, 200),
    iban: iban.slice(0, 34),
    text: cut(told || textAt(entry, ['AddtlNtryInf']), 1000),
    end_to_end: cut(meaningfulReference(textAt(detail, ['Refs', 'EndToEndId'])), 100),
    bank_ref: cut(meaningfulReference(bank_ref), 100),
    batch_amount: null,
    doubt: null,
  }
}
