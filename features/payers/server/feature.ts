import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { on } from '#foundation/server/events.ts'
import { hostTransferred } from '#features/hosts/contract.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { provenAddresses } from '#features/profile/server/profile.ts'
import { accept, decline } from './answers.ts'
import { update } from './changes.ts'
import { endAgreementsOf, expireOffers, remove } from './endings.ts'
import { publishToBoth } from './publish-changes.ts'
import { create } from './offers.ts'
import { get, list } from './payers.ts'
import * as endingQueries from './ending-queries.ts'
import { lockAgreementsOfTransfer } from './lock-queries.ts'
import * as queries from './queries.ts'
import { agreementReplies } from './replies.ts'

export const routes: readonly Handler[] = [list, get, create, update, remove, accept, decline]

export const jobs: readonly Job[] = [
  cronJob(jobKind('expire_payment_offers', 'rest'), 3600, (app) =>
    transaction(app, 'system', (tx) => expireOffers(app, tx)),
  ),
]

export const reactions = [
  on(userDeactivated, async (app, tx, { user_id }) => {
    await endAgreementsOf(app, tx, user_id)
    await endingQueries.eraseEmails(tx, user_id)
  }),
  on(hostTransferred, async (_app, tx, { id, to }) => {
    // The lock waits for a running charge. A trigger on `hosts` deletes the row in `host_payers`.
    const agreements = await lockAgreementsOfTransfer(tx, id, to)
    for (const agreement of agreements) await publishToBoth(tx, agreement)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'agreements.json': () =>
    transaction(app, 'nobody', async (tx) => {
      const emails = await provenAddresses(tx, user_id)
      const as = async (side: 'owner' | 'payer') =>
        agreementReplies(app, tx, await queries.agreementsOf(tx, { user_id, side, emails }), side)
      return { owner: await as('owner'), payer: await as('payer') }
    }),
})
