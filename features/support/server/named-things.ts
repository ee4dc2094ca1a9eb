import type { NamedThing } from '#foundation/server/acting.ts'
import { namedFile } from '#features/support/files/server/files.ts'
import { ticketAsThing } from '#features/support/tickets/server/tickets.ts'

/** The parameters in the paths of this feature's calls that name a customer's ticket or file, with their look-ups. */
export const namedThings: readonly NamedThing[] = [{ parameter: 'chatId', find: ticketAsThing }, namedFile]
