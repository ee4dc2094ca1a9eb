import type { ReactNode } from 'react'
import type { PickedFiles, Ticket } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The slot for the file picker of a new ticket, filled by the part that stores files. `onPick` receives the access to the picked files. */
export const newTicketFiles = slot<{ onPick: (picked: PickedFiles) => void }>('tickets.new_files')

/** The slot for the staff's actions on a ticket, beside the title of its chat; `close` is the button among them that closes it. */
export const ticketActs = slot<{ ticket: Ticket; close: ReactNode }>('tickets.acts')

/** The slot above the customer's list of tickets, for what is to be known before. */
export const aboveTickets = slot<object>('tickets.above')
