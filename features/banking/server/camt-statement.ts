import type { OddReason } from '#features/banking/rules.ts'
import { cut, dayOf, plain } from './bank-text.ts'
import { amountOf, isDebit, signed } from './camt-values.ts'
import type { Statement, StatementKind } from './statement.ts'
import { all, textAt, type Element } from './xml-tree.ts'

/** The account that customers pay to, and the currency of the prices. */
export type Own = { iban: string; currency: string }

/** Returns what a statement says of itself. Its currency is empty if it names none. */
export function statementOf(
  element: Element,
  { kind, page }: { kind: StatementKind; page: number | null },
): Omit<Statement, 'lines'> {
  const balances = all(element, 'Bal')
  const balance = (...codes: string[]) => {
    const found = balances.find((one) => codes.includes(textAt(one, ['Tp', 'CdOrPrtry', 'Cd'])))
    const money = found && amountOf(found, 'Amt')
    return found && money ? signed(money.amount, isDebit(found) === true) : null
  }
  return {
    kind,
    page,
    id: cut(textAt(element, ['Id']), 100),
    iban: plain(textAt(element, ['Acct', 'Id', 'IBAN'], ['Acct', 'Id', 'Othr', 'Id'])).slice(0, 34),
    currency: textAt(element, ['Acct', 'Ccy']) || (all(element, 'Bal', 'Amt')[0]?.attributes['Ccy'] ?? ''),
    opened_on: dayOf(textAt(element, ['FrToDt', 'FrDtTm'], ['FrToDt', 'FrDt'])),
    closed_on: dayOf(textAt(element, ['FrToDt', 'ToDtTm'], ['FrToDt', 'ToDt'])),
    opening: balance('OPBD', 'PRCD'),
    closing: balance('CLBD'),
  }
}

/** Returns the number of a page; null for a statement that is one page. */
export function pageOf(element: Element, header: Element | undefined): number | null {
  const pages = ['StmtPgntn', 'RptPgntn', 'NtfctnPgntn'].flatMap((name) => all(element, name))
  const [page] = pages.concat(header ? all(header, 'MsgPgntn') : [])
  const number = page ? Number(textAt(page, ['PgNb'])) : 0
  const isWhole = number === 1 && page !== undefined && textAt(page, ['LastPgInd']) === 'true'
  return number > 0 && number < 100_000 && !isWhole ? Math.trunc(number) : null
}

/** Returns the reason why a whole statement is set aside; undefined if it is taken. `moved` is what its odd entries moved, if that is known. */
export function reasonAgainst(
  { kind, page, iban, currency, opening, closing, lines }: Statement,
  moved: bigint | null,
  own: Own,
): OddReason | undefined {
  if (iban !== own.iban) return 'wrong_account'
  if (currency !== '' && currency !== own.currency) return 'wrong_currency'
  // A page does not hold the payments between the balances, and the balances of a report are of an unfinished day.
  if (kind !== 'camt.053' || page !== null || moved === null || opening === null || closing === null)
    return undefined
  const sum = lines.reduce((total, { amount }) => total + amount, moved)
  return opening + sum === closing ? undefined : 'balance_mismatch'
}

/** Names a statement in one line, as of another account. */
export const titleOf = (
  { iban, id, currency, opened_on, closed_on }: Omit<Statement, 'lines'>,
  entries: number,
): string =>
  [iban, id, currency, [opened_on, closed_on].filter(Boolean).join(' – '), `${entries} entries`]
    .filter(Boolean)
    .join(' · ')
