import type { NamedThing } from '#foundation/server/acting.ts'
import { ticketAsThing } from '#features/support/tickets/server/tickets.ts'
import { ticketOfFile } from './file-queries.ts'

/** A file may be read by the people who may read its ticket. */
export const namedFile: NamedThing = {
  parameter: 'attachmentId',
  async find(db, id) {
    const chat_id = await ticketOfFile(db, id)
    return chat_id === undefined ? undefined : ticketAsThing(db, chat_id)
  },
}
