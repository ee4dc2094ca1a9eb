import { paths } from '#features/paths.ts'

/** The address of a ticket's page, of the desk or of its customer. */
export const addressOf = (id: string, by_staff: boolean) =>
  by_staff ? paths.deskTicket(id) : paths.ticket(id)
