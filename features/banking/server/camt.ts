import { MOST_LINES } from '#features/banking/rules.ts'
import { amountOf, dayOf, linesOf, plain, signed } from './camt-entry.ts'
import { numbered, StatementError, unreadable, type Statement, type StatementLine } from './statement.ts'
import { all, readXml, textAt, XmlError, type Element } from './xml-tree.ts'

/**
 * Reads the statements of a file, whose text comes in pieces. Entries that are not booked yet are left out; a batch is read payment by
 * payment. Throws StatementError.
 */
export async function readStatements(pieces: AsyncIterable<string>): Promise<Statement[]> {
  const statements: Statement[] = []
  let lines: Omit<StatementLine, 'nth'>[] = []
  const reader = readXml(
    new Map([
      [
        'Ntry',
        (entry: Element) => {
          lines.push(...linesOf(entry))
          if (lines.length > MOST_LINES) throw new StatementError('too_many_lines')
        },
      ],
      [
        'Stmt',
        (element: Element) => {
          statements.push(statementOf(element, lines))
          lines = []
        },
      ],
    ]),
  )
  try {
    for await (const piece of pieces) reader.write(piece)
    reader.end()
  } catch (error) {
    throw error instanceof XmlError ? unreadable() : error
  }
  if (statements.length === 0) throw unreadable()
  return statements
}

function statementOf(element: Element, lines: readonly Omit<StatementLine, 'nth'>[]): Statement {
  const iban = plain(textAt(element, ['Acct', 'Id', 'IBAN']))
  const balances = all(element, 'Bal')
  const currency =
    textAt(element, ['Acct', 'Ccy']) || (all(element, 'Bal', 'Amt')[0]?.attributes['Ccy'] ?? '')
  if (!iban || !/^[A-Z]{3}$/.test(currency)) throw unreadable()
  const balance = (...codes: string[]) => {
    const found = balances.find((one) => codes.includes(textAt(one, ['Tp', 'CdOrPrtry', 'Cd'])))
    return found ? signed(amountOf(found, 'Amt').amount, textAt(found, ['CdtDbtInd']) === 'DBIT') : null
  }
  const opening = balance('OPBD', 'PRCD')
  const closing = balance('CLBD')
  const sum = lines.reduce((total, { amount }) => total + amount, 0n)
  if (opening !== null && closing !== null && opening + sum !== closing)
    throw new StatementError('balance_mismatch')
  return {
    id: textAt(element, ['Id']),
    iban,
    currency,
    opened_on: dayOf(textAt(element, ['FrToDt', 'FrDtTm'])),
    closed_on: dayOf(textAt(element, ['FrToDt', 'ToDtTm'])),
    opening,
    closing,
    lines: numbered(lines),
  }
}
