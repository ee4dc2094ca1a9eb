import { listTickets } from '#features/support/tickets/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'

const lists: (() => void)[] = [() => refreshQueries(listTickets)]

/** Adds a function that reloads one more list of tickets after an action on a ticket, such as the list of the desk. */
export const addTicketList = (reload: () => void): void => void lists.push(reload)

/** Reloads every list that may show a ticket that was just changed here. */
export const reloadTicketLists = (): void => lists.forEach((reload) => reload())
