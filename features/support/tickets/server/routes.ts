import type { Handler } from '#foundation/server/http/handler.ts'
import * as tickets from './tickets.ts'

export const routes: readonly Handler[] = [
  tickets.listTickets,
  tickets.countUnread,
  tickets.createTicket,
  tickets.getTicket,
  tickets.closeTicket,
  tickets.reopenTicket,
]
