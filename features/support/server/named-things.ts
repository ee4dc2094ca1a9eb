import type { NamedThing } from '#foundation/server/acting.ts'
import { namedFile } from '#features/support/files/server/files.ts'
import { ticketAsThing } from '#features/support/tickets/server/tickets.ts'

/** The things of customers in the paths of this feature's calls. */
export const namedThings: readonly NamedThing[] = [{ parameter: 'chatId', find: ticketAsThing }, namedFile]
