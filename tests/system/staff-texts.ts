import { insertReply } from '#features/support/desk/server/reply-queries.ts'
import { insertView } from '#features/support/desk/server/view-queries.ts'
import { must } from '#foundation/must.ts'
import { addSection, write } from '#features/help/server/help.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'

const nobodys = '00000000-0000-4000-8000-000000000000'

/** Writes a canned reply, a view of the list of tickets, and a section with an article. Returns their ids by the names that they have in paths. */
export const staffTexts = (app: App, author_id: string) =>
  transaction(app, 'system', async (tx) => {
    const canned = { title: 'theirs', text: 'theirs alone', language: 'en', author_id }
    const reply = must(await insertReply(tx, canned, 10))
    const title = { en: 'Theirs', de: '', ru: '' }
    const section = await addSection(tx, { slug: 'theirs', rank: 1, title })
    const given = { section_id: section.id, slug: 'theirs', text: { en: 'Theirs' } }
    const article = await write(tx, given, null)
    const mine = { name: 'theirs', shared: false, filter: {}, author_id }
    const view = await insertView(tx, mine)
    return {
      ticketViewId: { theirs: view.id, nobodys },
      replyId: { theirs: reply.id, nobodys },
      sectionId: { theirs: section.id, nobodys },
      articleId: { theirs: article.id, nobodys },
    }
  })

/** The calls of staff that change such texts. */
export const textCalls = [
  { method: 'POST', path: 'tickets/{chatId}/drafted-texts/', body: { kind: 'draft', language: 'en' } },
  { method: 'PATCH', path: 'replies/{replyId}/', body: { title: 'mine now' } },
  { method: 'POST', path: 'ticket-views/', body: { name: 'mine', shared: false, filter: {} } },
  { method: 'PATCH', path: 'ticket-views/{ticketViewId}/', body: { name: 'mine', version: 1 } },
  { method: 'POST', path: 'help/sections/', body: { slug: 'mine', rank: 1, title: {} } },
  { method: 'PATCH', path: 'help/sections/{sectionId}/', body: { rank: 2, version: 1 } },
  {
    method: 'POST',
    path: 'help/articles/',
    body: { slug: 'mine', section_id: nobodys },
  },
  { method: 'PATCH', path: 'help/articles/{articleId}/', body: { rank: 2, version: 1 } },
  { method: 'POST', path: 'help/articles/{articleId}/publication/', body: { version: 1 } },
].map(({ path, ...call }) => ({ ...call, path: `/api/staff/${path}` }))
