import { randomUUID } from 'node:crypto'

const said = { client_id: randomUUID(), text: 'mine now' }

/** The calls by which the desk answers and moves tickets, says when it answers, and by which customers rate the answers. */
export const answerCalls: { method: string; path: string; body?: object }[] = [
  ...[
    { method: 'PUT', path: 'assignee/' },
    { method: 'POST', path: 'spam/' },
    { method: 'POST', path: 'merge/', body: { number: 1 } },
    { method: 'POST', path: 'split/', body: { seq: 2, subject: 'x', client_id: said.client_id } },
    { method: 'POST', path: 'notes/', body: said },
    { method: 'POST', path: 'replies/', body: { ...said, attachment_ids: [], acts: { status: 'closed' } } },
  ].map(({ path: of, ...call }) => ({ ...call, path: `/api/staff/tickets/{chatId}/${of}` })),
  { method: 'POST', path: '/api/tickets/{chatId}/rating/', body: { face: 'poor', word: 'mine now' } },
  {
    method: 'POST',
    path: '/api/staff/replies/',
    body: { title: 'mine', text: 'mine now', language: 'en', acts: {} },
  },
  { method: 'PATCH', path: '/api/staff/answer-times/', body: { hours: [], version: 1 } },
  {
    method: 'PUT',
    path: '/api/staff/answer-times/targets/',
    body: { edition: null, items: [], version: 1 },
  },
]

/** Acts on several tickets that name one of somebody else's. */
export const foreignActs = (chat_id: string) => ({
  method: 'POST',
  path: '/api/staff/ticket-acts/',
  theirs: { ids: [chat_id], acts: { status: 'closed' } },
  nobodys: { ids: ['A'.repeat(22)], acts: { status: 'closed' } },
})
