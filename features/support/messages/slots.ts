import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Writing } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The slot beside a conversation for staff: the customer's card, other tickets. */
export const besideChat = slot<{ ticket: Ticket }>('chat.beside')

/** Above the composer of staff, for inserting text: canned replies. */
export const composerTools = slot<{ ticket: Ticket; writing: Writing }>('chat.composer_tools')
