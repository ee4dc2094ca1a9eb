import * as z from 'zod/mini'
import { place, route } from '#foundation/contract.ts'
import type { Ticket } from '#features/tickets/contract.ts'

/** Talking live. What is said itself is told by the tickets' calls. */

export const tellTyping = route({
  method: 'POST',
  path: '/api/tickets/{chatId}/typing/',
  who: 'customer',
  summary: 'Tells the other side that one is writing, for some seconds',
  limits: ['typing'],
  params: z.strictObject({ chatId: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  replies: { 204: null },
})

/** Where staff find what they need beside a conversation: the customer's card, other tickets. */
export const besideChat = place<{ ticket: Ticket }>('chat.beside')

/** Above the composer of staff, to put words into it: canned replies. */
export const composerTools = place<{ ticket: Ticket; insert: (text: string) => void }>('chat.composer_tools')
