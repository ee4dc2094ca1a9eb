import type { Acting, Held } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { topicsFor, topics, type Topic } from '#features/support/tickets/rules.ts'

/** The tickets of one account that somebody reads: their own, or those that a grant opens. */
export type TicketScope = {
  owner_id: string
  topics: readonly Topic[]
  /** The grant that opens the tickets; null for own tickets, and for a grant for all servers. */
  grant_id: string | null
}

export const ownTickets = (owner_id: string): TicketScope => ({ owner_id, topics, grant_id: null })

export const ticketsHeld = ({ account, role, grant_id, all_hosts }: Held | Acting): TicketScope => ({
  owner_id: account.id,
  topics: topicsFor(role),
  grant_id: all_hosts ? null : grant_id,
})

/** Returns the tickets that a call is about: the tickets of the account that it acts for, or of the caller. */
export const scopeOf = ({ acting }: Pick<App, 'acting'>, { user_id }: Actor): TicketScope =>
  acting ? ticketsHeld(acting) : ownTickets(user_id)

/** Returns the id of the person who calls, not of the account that they act for: marks and messages belong to the person. */
export const personOf = ({ acting }: Pick<App, 'acting'>, { user_id }: Pick<Actor, 'user_id'>): string =>
  acting?.person_id ?? user_id
