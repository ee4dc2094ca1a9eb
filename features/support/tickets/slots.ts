import type { ReactNode } from 'react'
import type { PickedFiles, Ticket } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The slot for the file picker of a new ticket, filled by the part that stores files. `onPick` receives the access to the picked files. */
export const newTicketFiles = slot<{ onPick: (picked: PickedFiles) => void }>('tickets.new_files')

/** Sends the secret of a new ticket once it is open. False if it was refused, about which the person was told. A second try sends it once. */
export type SendSecret = (chat_id: string, secret: string) => Promise<boolean>

/**
 * The slot below the message of a new ticket, for the offer to send a part of it as a secret, in a field `secret` of the same form. `onReady`
 * receives the way to send it.
 */
export const newTicketSecret = slot<{ message: string; onReady: (send: SendSecret) => void }>(
  'tickets.new_secret',
)

/** The slot for the staff's actions on a ticket, beside the title of its chat; `close` is the button among them that closes it. */
export const ticketActs = slot<{ ticket: Ticket; close: ReactNode }>('tickets.acts')

/** The slot above the customer's list of tickets, for what is to be known before. */
export const aboveTickets = slot<object>('tickets.above')
