export { openTicketsOf } from '#features/support/tickets/server/queries.ts'
export { giveTickets } from '#features/support/tickets/server/give-queries.ts'
export { releaseTicketsOf } from '#features/support/tickets/server/release-tickets.ts'
