import { on } from '#foundation/server/events.ts'
import { dataRequested, userDeactivated } from '#features/profile/contract.ts'
import { conversationsOf } from './download-data.ts'
import { eraseTicketsOf } from './erase-queries.ts'

/** The tickets of a customer, with their messages, are deleted with the account, and are part of the download of their data. */
export const reactions = [
  on(userDeactivated, (_app, tx, { user_id }) => eraseTicketsOf(tx, user_id)),
  on(dataRequested, async (app, _tx, { user_id, add }) =>
    add('tickets.json', () => conversationsOf(app, user_id)),
  ),
]
