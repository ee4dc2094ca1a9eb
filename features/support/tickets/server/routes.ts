import { handler as serve } from '#foundation/server/http/handler.ts'
import * as contract from '#features/support/tickets/contract.ts'
import * as tickets from './tickets.ts'

export const routes = [
  serve(contract.listTickets, tickets.listTickets),
  serve(contract.countUnread, tickets.countUnread),
  serve(contract.createTicket, tickets.createTicket),
  serve(contract.getTicket, tickets.getTicket),
  serve(contract.closeTicket, tickets.closeTicket),
  serve(contract.reopenTicket, tickets.reopenTicket),
]
