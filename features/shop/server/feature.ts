import { guestFailed, guestPaid, paymentArriving } from '#features/finance/contract.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { on } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { arrive, tellBuyer } from './arrive.ts'
import { fail } from './fail.ts'
import { deletePurchasesOf } from './purchase-queries.ts'
import { exportedPurchases, sweep } from './purchases.ts'
import { getShop } from './shop.ts'

export const routes: readonly Handler[] = [getShop]

export const jobs: readonly Job[] = [cronJob(jobKind('sweep_purchases', 'rest'), 3600, sweep)]

export const reactions = [
  on(guestPaid, arrive),
  on(guestFailed, fail),
  // The order comes first: this feature stands below sales.
  on(paymentArriving, tellBuyer),
  on(userDeactivated, (_app, tx, { user_id }) => deletePurchasesOf(tx, user_id)),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'purchases.json': () => exportedPurchases(app, user_id),
})
