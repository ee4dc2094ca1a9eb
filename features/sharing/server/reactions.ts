import { on } from '#foundation/server/events.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { hostTransferred } from '#features/hosts/contract.ts'
import { accessChanged, userDeactivated } from '#features/profile/contract.ts'
import { factorsChanged } from '#features/security/contract.ts'
import { provenAddresses } from '#features/profile/server/profile.ts'
import * as endingQueries from './ending-queries.ts'
import { publishToConcerned, publishToBoth } from './publish-changes.ts'
import * as queries from './queries.ts'
import { endGrant } from './received.ts'
import { grantReplies } from './replies.ts'

export const reactions = [
  on(accessChanged, (_app, tx, { user_id }) => publishToConcerned(tx, user_id)),
  on(factorsChanged, (_app, tx, { user_id }) => publishToConcerned(tx, user_id)),
  on(userDeactivated, async (app, tx, { user_id }) => {
    for (const grant of await queries.lockGrantsWith(tx, user_id))
      await endGrant(app, tx, grant, grant.owner_id === user_id ? 'revoked' : 'left')
    await endingQueries.deleteGrantsWith(tx, user_id)
  }),
  on(hostTransferred, async (app, tx, { user_id, id }) => {
    const named = await endingQueries.leaveGrants(tx, id)
    for (const grant of await queries.grantsOf(tx, user_id)) {
      const isNamed = named.includes(grant.id)
      // A grant for this server alone gives nothing any more.
      if (isNamed && grant.host_ids.length === 0) await endGrant(app, tx, grant, 'revoked')
      else if (isNamed || grant.all_hosts) await publishToBoth(tx, grant)
    }
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'people.json': async () => {
    const received = await queries.grantsTo(app.db, user_id, await provenAddresses(app.db, user_id))
    return {
      given: await grantReplies(app, app.db, await queries.grantsOf(app.db, user_id), 'given'),
      received: await grantReplies(app, app.db, received, 'received'),
    }
  },
})
