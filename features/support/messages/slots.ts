import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Writing } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The slot beside a conversation for staff: the customer's card and other tickets. */
export const besideChat = slot<{ ticket: Ticket }>('chat.beside')

/** The slot for the text of a note, which only staff read. */
export const noteText = slot<{ text: string }>('chat.note_text')

/** The slot above the composer of staff, for tools that insert text, such as canned replies. */
export const composerTools = slot<{ ticket: Ticket; writing: Writing }>('chat.composer_tools')
