import { handler as serve, type Handler as Served } from '#foundation/server/http/handler.ts'
import * as contract from '#features/support/desk/contract.ts'
import { getCustomer } from './customer-card.ts'
import { listColleagues, publishPresence } from './desk.ts'
import * as replies from './replies.ts'
import * as tickets from './staff-tickets.ts'

export const routes: readonly Served[] = [
  serve(contract.listStaffTickets, tickets.listStaffTickets),
  serve(contract.countStaffTickets, tickets.countStaffTickets),
  serve(contract.changeTicket, tickets.changeTicket),
  serve(contract.assignTicket, tickets.assignTicket),
  serve(contract.giveBackTicket, tickets.unassignTicket),
  serve(contract.listReplies, replies.listReplies),
  serve(contract.createReply, replies.createReply),
  serve(contract.updateReply, replies.updateReply),
  serve(contract.deleteReply, replies.deleteReply),
  serve(contract.getCustomer, getCustomer),
  serve(contract.listColleagues, listColleagues),
  serve(contract.tellPresence, publishPresence),
]
