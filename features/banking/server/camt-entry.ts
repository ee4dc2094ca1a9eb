import { createHash } from 'node:crypto'
import { digitsOf } from '#foundation/money.ts'
import { unreadable, type StatementLine } from './statement.ts'
import { all, textAt, type Element } from './xml-tree.ts'

type Line = Omit<StatementLine, 'nth'>

/** Returns the payments of an entry: one, or each of a batch; none if the bank has not booked the entry yet. */
export function linesOf(entry: Element): Line[] {
  const status = textAt(entry, ['Sts', 'Cd'], ['Sts'])
  if (status !== 'BOOK') return []
  const booked_on = dayOf(
    textAt(entry, ['BookgDt', 'Dt'], ['BookgDt', 'DtTm'], ['ValDt', 'Dt'], ['ValDt', 'DtTm']),
  )
  if (booked_on === null) throw unreadable()
  const debit = textAt(entry, ['CdtDbtInd']) === 'DBIT'
  const whole = amountOf(entry, 'Amt')
  const details = all(entry, 'NtryDtls', 'TxDtls')
  const single = details.length <= 1
  const lines = (single ? [details[0] ?? entry] : details).map((detail, place) => {
    const left = single
      ? debit
      : textAt(detail, ['CdtDbtInd']) === 'DBIT' || (!textAt(detail, ['CdtDbtInd']) && debit)
    // A single payment has the amount of its entry: the detail may state it in the payer's currency.
    const { amount, currency } = single ? whole : amountOf(detail, 'Amt', ['AmtDtls', 'TxAmt', 'Amt'])
    return lineOf(entry, detail, { booked_on, amount: signed(amount, left), currency, place })
  })
  // Some banks leave fees or amounts out of a batch: its entry then counts as one payment, for a person to check.
  const sum = lines.reduce((total, { amount }) => total + amount, 0n)
  const total = signed(whole.amount, debit)
  const known =
    sum === total ? lines : [lineOf(entry, entry, { booked_on, ...whole, amount: total, place: 0 })]
  return known.filter(({ amount }) => amount !== 0n)
}

function lineOf(
  entry: Element,
  detail: Element,
  {
    booked_on,
    amount,
    currency,
    place,
  }: { booked_on: string; amount: bigint; currency: string; place: number },
): Line {
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
  const text = cut(told || textAt(entry, ['AddtlNtryInf']), 1000)
  const end_to_end = textAt(detail, ['Refs', 'EndToEndId'])
  const bank_ref = textAt(entry, ['AcctSvcrRef']) || textAt(detail, ['Refs', 'AcctSvcrRef'])
  const known = bank_ref ? [bank_ref, String(place)] : [booked_on, name, iban, text]
  const key = createHash('sha256')
    .update([...known, String(amount)].join('\n'))
    .digest()
  return {
    booked_on,
    amount,
    currency,
    name: cut(name, 200),
    iban,
    text,
    end_to_end: end_to_end === 'NOTPROVIDED' ? '' : cut(end_to_end, 100),
    key,
  }
}

export const plain = (text: string) => text.replaceAll(/\s/g, '').toUpperCase()
// Returns the text as one line of at most `most` characters. PostgreSQL can store neither the control character NUL nor a lone surrogate.
export const cut = (text: string, most: number) =>
  [
    ...text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, most)
    .join('')

export const signed = (amount: bigint, left: boolean) => (left ? -amount : amount)

/** Returns the day of a date or time as the bank wrote it, in the bank's own time zone; null if the text has none. */
export function dayOf(text: string): string | null {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null
}

export function amountOf(
  element: Element,
  ...paths: (string | string[])[]
): { amount: bigint; currency: string } {
  for (const path of paths) {
    const found = all(element, ...[path].flat())[0]
    if (!found) continue
    const currency = found.attributes['Ccy'] ?? ''
    const [, whole, part = ''] = /^(\d{1,15})(?:\.(\d{1,5}))?$/.exec(found.text.trim()) ?? []
    if (whole === undefined || !/^[A-Z]{3}$/.test(currency)) throw unreadable()
    const digits = digitsOf(currency)
    if (/[1-9]/.test(part.slice(digits))) throw unreadable()
    return { amount: BigInt(whole + part.slice(0, digits).padEnd(digits, '0')), currency }
  }
  throw unreadable()
}
