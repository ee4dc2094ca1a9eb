import * as z from 'zod/mini'
import { slot, route } from '#foundation/contract.ts'
import { attachment, type Ticket } from '#features/tickets/contract.ts'

/** Talking live, and the files that go with messages. What is said itself is told by the tickets' calls. */

export const tellTyping = route({
  id: 'tellTyping',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/typing/',
  access: { who: 'customer' },
  summary: 'Tells the other side that one is writing, for some seconds',
  limits: ['typing'],
  params: z.strictObject({ chatId: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  replies: { 204: null },
})

const file = z.strictObject({ attachmentId: z.string().check(z.regex(/^[\w-]{22}$/)) })

export const uploadAttachment = route({
  id: 'uploadAttachment',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/attachments/',
  access: { who: 'customer' },
  summary: 'Upload one file for a message',
  description:
    'Upload one file as multipart/form-data, at most 20 MB; what no message names is swept after a day, and an account keeps a bounded sum',
  limits: ['upload'],
  requestType: 'file',
  replies: { 201: attachment },
  errors: { 400: ['empty_file', 'one_file'], 409: ['too_many_uploads'], 413: ['quota_exceeded'] },
})

export const getAttachment = route({
  id: 'getAttachment',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/attachments/{attachmentId}/',
  access: { who: 'customer' },
  summary: 'The bytes as they were uploaded, to be kept as a file',
  params: file,
  responseType: 'any',
  replies: { 200: null },
})

export const getPreview = route({
  id: 'getPreview',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/attachments/{attachmentId}/preview',
  access: { who: 'customer' },
  summary: 'A picture made anew from an uploaded one',
  description: 'A picture made anew from an uploaded one, without what cameras write into theirs',
  params: file,
  responseType: 'image/webp',
  replies: { 200: null },
})

/** The slot beside a conversation for staff: the customer's card, other tickets. */
export const besideChat = slot<{ ticket: Ticket }>('chat.beside')

/** The draft that staff are writing, for tools that help to write. */
export type Writing = {
  /** Puts words where the cursor is and goes on behind them. */
  insert: (words: string) => void
  /** Hears of a `/` at the beginning of a line, which is then not written; answers how to stop hearing. */
  onSlash: (listener: () => void) => () => void
}

/** Above the composer of staff, to put words into it: canned replies. */
export const composerTools = slot<{ ticket: Ticket; writing: Writing }>('chat.composer_tools')
