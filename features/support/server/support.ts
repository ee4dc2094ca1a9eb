export { assignByCommand, markSpamByCommand } from '#features/support/desk/server/by-command.ts'
export { openTicketsOf } from '#features/support/tickets/server/queries.ts'
export { giveTickets } from '#features/support/tickets/server/give-queries.ts'
export { releaseTicketsOf } from '#features/support/tickets/server/release-tickets.ts'
