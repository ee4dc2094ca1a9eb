import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { deleteHostsOf } from './hosts.ts'
import { pageOfHosts } from './list.ts'
import { endOffersTo, transfersFile } from './transfers.ts'

/** The hosts of a deleted account are deleted with it, their tokens and their metrics too. */
export const reactions = [
  on(userDeactivated, async (app, tx, { user_id }) => {
    await deleteHostsOf(app, tx, user_id)
    await endOffersTo(app, tx, user_id)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'servers.json': () =>
    everyItem((cursor) => pageOfHosts(app.db, user_id, { sort: 'created_at', limit: 100, cursor })),
  'transfers.json': () => transfersFile(app, user_id),
})
