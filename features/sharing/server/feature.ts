import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { on } from '#foundation/server/events.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { hostTransferred } from '#features/hosts/contract.ts'
import { accessChanged, userDeactivated } from '#features/profile/contract.ts'
import { factorsChanged } from '#features/security/contract.ts'
import { provenAddresses } from '#features/profile/server/profile.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { keepLicenceKey, listFormerHelpers } from './former.ts'
import * as given from './given.ts'
import { people } from './people.ts'
import * as received from './received.ts'
import { endEmptied, endOf, endTokensInTime, listOf } from './token-ends.ts'
import { tokensOf } from './token-queries.ts'
import * as tokens from './tokens.ts'
import * as endingQueries from './former-queries.ts'
import { publishToConcerned, publishToBoth } from './publish-changes.ts'
import * as queries from './queries.ts'
import { grantReplies, tokenReply } from './replies.ts'

export const routes: readonly Handler[] = [
  given.list,
  given.create,
  given.update,
  received.remove,
  received.accept,
  received.decline,
  accounts,
  people,
  activity,
  listFormerHelpers,
  keepLicenceKey,
  tokens.list,
  tokens.create,
  tokens.getOwn,
  tokens.endOwn,
  tokens.reportLeak,
  tokens.get,
  tokens.rename,
  tokens.end,
  listOf,
  endOf,
]

export const jobs: readonly Job[] = [
  cronJob(jobKind('expire_helper_invitations', 'rest'), 3600, (app) =>
    transaction(app, 'system', (tx) => received.expireInvitations(app, tx)),
  ),
  cronJob(jobKind('end_tokens', 'rest'), 3600, endTokensInTime),
]

export const reactions = [
  on(accessChanged, (_app, tx, { user_id }) => publishToConcerned(tx, user_id)),
  on(factorsChanged, (_app, tx, { user_id }) => publishToConcerned(tx, user_id)),
  on(userDeactivated, async (app, tx, { user_id }) => {
    await received.endGrantsOf(app, tx, user_id)
    await endingQueries.deleteGrantsWith(tx, user_id)
  }),
  on(hostTransferred, async (app, tx, { user_id, id }) => {
    const named = await endingQueries.leaveGrants(tx, id)
    for (const grant of await queries.grantsOf(tx, user_id)) {
      const isNamed = named.includes(grant.id)
      // A grant for this server alone gives nothing any more.
      if (isNamed && grant.host_ids.length === 0) await received.endGrant(app, tx, grant, 'revoked')
      else if (isNamed || grant.all_hosts) await publishToBoth(tx, grant)
    }
    await endEmptied(app, tx, user_id, named)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'people.json': async () => {
    const grants = await queries.grantsTo(app.db, user_id, await provenAddresses(app.db, user_id))
    return {
      given: await grantReplies(app, app.db, await queries.grantsOf(app.db, user_id), 'given'),
      received: await grantReplies(app, app.db, grants, 'received'),
      tokens: (await tokensOf(app.db, user_id)).map((row) => tokenReply(app, row)),
    }
  },
})
