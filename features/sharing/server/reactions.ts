import { on } from '#foundation/server/events.ts'
import { dataRequested, userDeactivated } from '#features/profile/contract.ts'
import { provenAddresses } from './given.ts'
import * as queries from './queries.ts'
import { endGrant } from './received.ts'
import { grantReplies } from './replies.ts'

export const reactions = [
  on(userDeactivated, async (app, tx, { user_id }) => {
    for (const grant of await queries.lockGrantsWith(tx, user_id))
      await endGrant(app, tx, grant, grant.owner_id === user_id ? 'revoked' : 'left')
    await queries.deleteGrantsWith(tx, user_id)
  }),
  on(dataRequested, async (app, _tx, { user_id, add }) =>
    add('people.json', async () => {
      const received = await queries.grantsTo(app.db, user_id, await provenAddresses(app.db, user_id))
      return {
        given: await grantReplies(app, app.db, await queries.grantsOf(app.db, user_id), 'given'),
        received: await grantReplies(app, app.db, received, 'received'),
      }
    }),
  ),
]
