import { expectAnswer, expectNewAnswer } from './expected.ts'
import * as tickets from './tickets.ts'
import { mergeTicket, undoTicketMerge } from './merge.ts'
import { splitTicket } from './split.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { on } from '#foundation/server/events.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { conversationsOf } from './download-data.ts'
import { eraseTicketsOf } from './erase-queries.ts'
import * as events from '#features/support/tickets/event-contract.ts'

export const routes: readonly Handler[] = [
  tickets.listTickets,
  tickets.countUnread,
  tickets.createTicket,
  tickets.getTicket,
  tickets.closeTicket,
  tickets.reopenTicket,
  expectNewAnswer,
  expectAnswer,
  mergeTicket,
  undoTicketMerge,
  splitTicket,
]

/** The tickets of a customer, with their messages, are deleted with the account. */
export const published = Object.values(events)

export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => eraseTicketsOf(tx, user_id))]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'tickets.json': () => conversationsOf(app, user_id),
})
