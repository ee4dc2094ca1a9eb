export { openTicketsOf } from '#features/support/tickets/server/queries.ts'
export { releaseTicketsOf } from '#features/support/tickets/server/release-tickets.ts'
