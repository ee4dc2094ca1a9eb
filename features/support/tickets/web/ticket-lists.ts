import { listTickets } from '#features/support/tickets/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'

const lists: (() => void)[] = [() => refreshQueries(listTickets)]

/** Adds a list of tickets that is reloaded after an action on one: the desk's. */
export const addTicketList = (reload: () => void): void => void lists.push(reload)

/** Reloads every list that may show a ticket that was just changed here. */
export const reloadTicketLists = (): void => lists.forEach((reload) => reload())
