import type { SlotEntry } from '#foundation/web/slots.tsx'
import { ticketFiles } from '#features/support/files/web/slots.ts'
import { ticketsOfHost } from '#features/support/tickets/web/slots.ts'

/** The entries of all parts of support for slots that customers see. */
export const slots: readonly SlotEntry[] = [ticketsOfHost, ticketFiles]
