import type { SlotEntry } from '#foundation/web/slots.tsx'
import { slots as desk } from '#features/support/desk/web/slots.ts'
import { ticketFiles } from '#features/support/files/web/slots.ts'
import { ticketsOfHost } from '#features/support/tickets/web/slots.ts'

/** The entries of all parts of support for slots of pages, their own and others'. */
export const slots: readonly SlotEntry[] = [ticketsOfHost, ticketFiles, ...desk]
