import { descriptionText } from '#features/finance/texts.ts'
import { monthOfLedger, toTransactionReply } from '#features/finance/server/finance.ts'
import { dayIn } from '#features/invoices/rules.ts'
import * as contract from '#features/invoices/statement-contract.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import type { Locale } from '#foundation/locale.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { setDownloadHeaders } from '#foundation/server/http/download-headers.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'
import { operatorInput } from './documents/build-input.ts'
import type { SignedPart } from './documents/document-input.ts'
import { renderInWorker } from './documents/worker.ts'
import { numbersOf } from './document-queries.ts'

const MOST = 2000

export const getStatement = handler(contract.getStatement, async ({ app, actor, params: { month } }) => {
  return { status: 200, body: await statementOf(app, actor.user_id, month) }
})

export const getCustomerStatement = handler(contract.getCustomerStatement, async ({ app, params }) => {
  if (!(await findUser(app.db, params.userId))) throw notFound()
  return { status: 200, body: await statementOf(app, params.userId, params.month) }
})

export const downloadStatement = handler(contract.downloadStatement, ({ app, actor, reply, params, query }) =>
  send(app, reply, actor.user_id, { ...params, ...query }),
)

export const downloadCustomerStatement = handler(
  contract.downloadCustomerStatement,
  ({ app, reply, params: { userId, month }, query }) => send(app, reply, userId, { month, ...query }),
)

/** The statement of a month. Throws 409 `statement_too_long` above MOST transactions. */
async function statementOf(app: App, user_id: string, month: string): Promise<contract.Statement> {
  const told = await monthOfLedger(app, user_id, month, MOST)
  if (!told) throw new HttpError(409, [{ code: 'statement_too_long' }])
  const { opening, closing, until, rows } = told
  const documents = rows.flatMap(({ invoice_id }) => invoice_id ?? [])
  const numbers = await numbersOf(app.db, user_id, documents)
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const sumOf = (counts: (amount: bigint) => boolean) =>
    money(rows.reduce((sum, { amount }) => sum + (counts(amount) ? amount : 0n), 0n))
  return {
    month,
    is_over: until <= new Date(),
    opening: money(opening),
    closing: money(closing),
    received: sumOf((amount) => amount > 0n),
    spent: sumOf((amount) => amount < 0n),
    rows: rows.map((row) => ({
      transaction: toTransactionReply(row),
      day: dayIn(row.created_at, app.config.timeZone),
      number: numbers.get(row.invoice_id ?? '') ?? null,
    })),
  }
}

type Wanted = { month: string; format: 'pdf' | 'csv' }

/** Sends the statement as a file, in the language of its customer. Throws as `statementOf` does. */
async function send(
  app: App,
  reply: Call<typeof contract.downloadStatement>['reply'],
  user_id: string,
  { month, format }: Wanted,
): Promise<null> {
  const user = await findUser(app.db, user_id)
  if (!user) throw notFound()
  const { locale } = user
  const statement = await statementOf(app, user_id, month)
  const name = `statement-${month}`
  if (format === 'csv') return sendCsv(reply, `${name}.csv`, csvOf(statement, locale))
  const holder = (await displayNames(app, app.db, [user_id])).of(user_id).name
  const operator = operatorInput(app)
  const { pdf } = await renderInWorker({ statement, holder, locale, operator })
  void setDownloadHeaders(reply)
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename="${name}.pdf"`)
    .send(Buffer.from(pdf))
  return null
}

/** Draws a statement as a PDF/A-3 in its customer's language, with `signed` below it and inside of it. */
export async function drawStatement(
  app: App,
  {
    user_id,
    statement,
    holder,
    signed,
  }: { user_id: string; statement: contract.Statement; holder: string; signed: SignedPart },
): Promise<Uint8Array> {
  const locale = (await findUser(app.db, user_id))?.locale ?? 'en'
  const { pdf } = await renderInWorker({ statement, holder, locale, operator: operatorInput(app), signed })
  return pdf
}

/** The statement as a table: a line for the opening balance, one for each transaction, and one for the closing balance. */
function csvOf({ month, opening, closing, rows }: contract.Statement, locale: Locale): string {
  const said = { locale }
  const head = [
    m.invoices_statement_day({}, said),
    m.invoices_description({}, said),
    m.invoices_statement_document({}, said),
    m.invoices_statement_amount({}, said),
    m.invoices_statement_balance({}, said),
    m.invoices_statement_currency({}, said),
  ]
  const balance = (text: string, amount: typeof opening) =>
    csvLine([month, textCell(text), '', '', decimalText(amount), amount.currency])
  return csvFile(head, [
    balance(m.invoices_statement_opening({}, said), opening),
    ...rows.map(({ day, number, transaction: { description, amount, balance_after } }) =>
      csvLine([
        day,
        textCell(descriptionText(description, locale)),
        number ?? '',
        decimalText(amount),
        decimalText(balance_after),
        amount.currency,
      ]),
    ),
    balance(m.invoices_statement_closing({}, said), closing),
  ])
}
