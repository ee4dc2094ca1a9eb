import { handler as serve } from '#foundation/server/http/handler.ts'
import * as contract from '#features/tickets/contract.ts'
import * as desk from './desk.ts'
import * as messages from './messages.ts'
import * as tickets from './tickets.ts'

export const routes = [
  serve(contract.listTickets, tickets.listTickets),
  serve(contract.countUnread, tickets.countUnread),
  serve(contract.createTicket, tickets.createTicket),
  serve(contract.getTicket, tickets.getTicket),
  serve(contract.closeTicket, tickets.closeTicket),
  serve(contract.reopenTicket, tickets.reopenTicket),
  serve(contract.listMessages, messages.listMessages),
  serve(contract.postMessage, messages.postMessage),
  serve(contract.markRead, messages.markRead),
  serve(contract.listStaffTickets, desk.listStaffTickets),
  serve(contract.countStaffTickets, desk.countStaffTickets),
  serve(contract.changeTicket, desk.changeTicket),
  serve(contract.assignTicket, desk.assignTicket),
  serve(contract.giveBackTicket, desk.unassignTicket),
  serve(contract.postNote, messages.postNote),
]
