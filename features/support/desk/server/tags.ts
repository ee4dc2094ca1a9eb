import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/support/desk/contract.ts'
import { tagsInUse } from './tag-queries.ts'

export const listTags = handler(contract.listTags, async ({ app }) => {
  return { status: 200, body: { items: await tagsInUse(app.db) } }
})
