import * as contract from '#features/support/mail/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** Keeps what is said about mails up to date, for staff and for customers. */
export const live: readonly LiveReaction[] = [
  [
    contract.HELD_MAILS,
    () => {
      refreshQueries(contract.listHeldMails)
      refreshQueries(contract.listBlockedSenders)
      refreshQueries(contract.getTicketMails)
    },
  ],
  [
    contract.RETURNED_MAIL,
    () => {
      refreshQueries(contract.getTicketMails)
      refreshQueries(contract.listSuspended)
    },
  ],
]
