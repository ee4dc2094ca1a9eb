import * as contract from '#features/statements/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { setDownloadHeaders } from '#foundation/server/http/download-headers.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { jsonFile, pdfFile } from './files.ts'
import { statementOf, statementsOf } from './queries.ts'
import { toReply } from './reply.ts'

export { issuePast } from './issue.ts'
export { rotateKey, withdrawKey } from './keys.ts'

export const list = handler(contract.listSignedStatements, async ({ app, actor, query }) => {
  return { status: 200, body: await pageOfStatements(app.db, actor.user_id, query) }
})

export const listForStaff = handler(contract.listCustomerStatements, async ({ app, params, query }) => {
  if (!(await findUser(app.db, params.userId))) throw notFound()
  return { status: 200, body: await pageOfStatements(app.db, params.userId, query) }
})

/** Returns a page of an account's statements, newest first. */
export async function pageOfStatements(
  db: App['db'],
  user_id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const before = placeIn(cursor, [placeKinds.number])?.[0]
  const rows = await statementsOf(db, user_id, { before, limit: limit + 1 })
  return pageFrom(rows, limit, ({ id }) => [id.toString()], toReply)
}

export const json = handler(contract.getSignedJson, ({ app, actor, params, reply }) =>
  send(app, reply, { user_id: actor.user_id, ...params }, 'json'),
)
export const pdf = handler(contract.getSignedPdf, ({ app, actor, params, reply }) =>
  send(app, reply, { user_id: actor.user_id, ...params }, 'pdf'),
)
export const jsonForStaff = handler(contract.getCustomerJson, ({ app, params, reply }) =>
  send(app, reply, { user_id: params.userId, ...params }, 'json'),
)
export const pdfForStaff = handler(contract.getCustomerPdf, ({ app, params, reply }) =>
  send(app, reply, { user_id: params.userId, ...params }, 'pdf'),
)

/** Sends the statement of a month as a file. Throws 404 if the account has none. */
async function send(
  app: App,
  reply: Call<typeof contract.getSignedJson>['reply'],
  { user_id, month }: { user_id: string; month: string },
  format: 'json' | 'pdf',
): Promise<null> {
  const row = await statementOf(app.db, user_id, month)
  if (!row) throw notFound()
  const content = format === 'json' ? Buffer.from(jsonFile(row)) : await pdfFile(app, user_id, row)
  void setDownloadHeaders(reply)
    .header('content-type', format === 'json' ? 'application/json; charset=utf-8' : 'application/pdf')
    .header('content-disposition', `attachment; filename="statement-${month}.${format}"`)
    .send(content)
  return null
}
