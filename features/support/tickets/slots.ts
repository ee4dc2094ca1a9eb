import type { PickedFiles, Ticket } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The file picker for a new ticket, provided by the feature that stores files. Reports how to ask for the picked ones. */
export const newTicketFiles = slot<{ onPick: (picked: PickedFiles) => void }>('tickets.new_files')

/** The slot for the staff's actions on a ticket: beside the title of its chat. */
export const ticketActs = slot<{ ticket: Ticket }>('tickets.acts')
