import { statementBody, type IssuedStatement, type StatementBody } from '#features/statements/shapes.ts'
import { toMoney } from '#foundation/money.ts'

/** The statement that a row holds in canonical form. */
export const bodyOf = ({ body }: { body: string }): StatementBody => statementBody.parse(JSON.parse(body))

/** A statement as lists show it. */
export function toReply(row: { body: string; hash: string }): IssuedStatement {
  const { month, opening, closing, currency, entries } = bodyOf(row)
  return {
    month,
    opening: toMoney(BigInt(opening), currency),
    closing: toMoney(BigInt(closing), currency),
    entries: entries.length,
    sha256: row.hash,
  }
}
