import { drawStatement, type Statement } from '#features/invoices/server/invoices.ts'
import { paths } from '#features/paths.ts'
import type { StatementBody } from '#features/statements/shapes.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import { signatureOf, signer } from './keys.ts'
import { signedPdf, statementFile } from './message.ts'
import { fileOf, keepFile, type StatementRow } from './queries.ts'
import { bodyOf } from './reply.ts'

/** The signed statement as it is downloaded, to the byte. */
export const jsonFile = ({ proof, ...row }: StatementRow): string =>
  statementFile({ ...row, proof: proof === '' ? [] : proof.split(' ') })

/** The PDF of a statement. It is drawn and signed when it is first asked for; all get the bytes that were stored first. */
export async function pdfFile(app: App, user_id: string, row: StatementRow): Promise<Buffer> {
  const known = await fileOf(app.db, row.id)
  if (known) return known
  const body = bodyOf(row)
  const drawn = await drawStatement(app, {
    user_id,
    statement: shown(body),
    holder: body.holder,
    signed: {
      file: jsonFile(row),
      hash: row.hash,
      check_url: `${app.config.publicOrigin}${PAGES_BASE}${paths.finances({ view: 'statement' })}`,
      issued_at: body.until,
    },
  })
  return transaction(app, { userId: user_id }, async (tx) => {
    const key = await signer(app, tx)
    const content = signedPdf(drawn, key.kid, (message) => signatureOf(key, message))
    await keepFile(tx, { statement_id: row.id, user_id, content })
    return must(await fileOf(tx, row.id))
  })
}

/** A signed statement as the page of a PDF shows it. */
function shown({ month, opening, closing, currency, entries }: StatementBody): Statement {
  const money = (amount: string | bigint) => toMoney(BigInt(amount), currency)
  const sumOf = (counts: (amount: bigint) => boolean) =>
    money(
      entries.map(({ amount }) => BigInt(amount)).reduce((sum, one) => (counts(one) ? sum + one : sum), 0n),
    )
  return {
    month,
    is_over: true,
    opening: money(opening),
    closing: money(closing),
    received: sumOf((amount) => amount > 0n),
    spent: sumOf((amount) => amount < 0n),
    rows: entries.map(({ id, type, amount, balance, at, description, host, document, day }) => ({
      transaction: {
        id,
        type,
        amount: money(amount),
        balance_after: money(balance),
        created_at: at,
        description,
        invoice_id: null,
        host_id: host,
      },
      day,
      number: document,
    })),
  }
}
