import type { Handler } from '#foundation/server/http/handler.ts'
import { endAbsence, setAbsence } from './absences.ts'
import { getCustomer } from './customer-card.ts'
import { listColleagues, publishPresence } from './desk.ts'
import * as replies from './replies.ts'
import * as several from './several.ts'
import * as tickets from './staff-tickets.ts'
import { listTags } from './tags.ts'
import * as views from './views.ts'
import { writeToCustomer } from './write-to-customer.ts'

export const routes: readonly Handler[] = [
  tickets.listStaffTickets,
  tickets.countStaffTickets,
  tickets.changeTicket,
  tickets.assignTicket,
  tickets.unassignTicket,
  tickets.markSpam,
  listTags,
  views.listViews,
  views.createView,
  views.updateView,
  views.deleteView,
  several.actOnTickets,
  several.undoActOnTickets,
  replies.listReplies,
  replies.createReply,
  replies.updateReply,
  replies.deleteReply,
  getCustomer,
  writeToCustomer,
  listColleagues,
  setAbsence,
  endAbsence,
  publishPresence,
]

export { jobs } from './several.ts'
