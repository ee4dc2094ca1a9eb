import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { balanceOverdrawn, balanceRose } from '#features/finance/contract.ts'
import { addressesChanged, autoRenewChanged, hostDeleted, hostTransferred } from '#features/hosts/contract.ts'
import { on } from '#foundation/server/events.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { checkIn, validateLicence } from './checks.ts'
import { getDocument, makeDocument } from './document.ts'
import { releaseSeat } from './leases.ts'
import { listMachines, releaseMachine, resetReleases, machinesFile } from './own-machines.ts'
import { listPlans } from './plans.ts'
import { preview as previewPromo } from './promo-preview.ts'
import { listProducts } from './products.ts'
import { listRevocations } from './revocations.ts'
import { listKeys } from './signing-keys.ts'
import { resumeHost, suspendHost } from './suspensions.ts'
import {
  DEBT_STEP,
  PUBLISH_SUSPENSIONS,
  publishSuspensions,
  runDebtStep,
  sweepDebts,
  beginDebt,
  settleDebt,
} from './debts.ts'
import { mailPriceRise, PRICE_RISE } from './price-rise.ts'
import { sweepMachines } from './machine-queries.ts'
import { dropRevocations } from './document-queries.ts'
import { askToRenewNow, forgetRefusal, sweepLicences } from './renewals.ts'
import { debtsOf } from './debt-queries.ts'
import { promoUsesOf } from './promo-queries.ts'
import { endDeleted, leaveOwner, moveAddresses, stayWithOwner } from './licences.ts'
import { suspensionsOf } from './suspension-queries.ts'
import * as events from '#features/licences/event-contract.ts'

export { sealed } from './signing-keys.ts'

export const routes: readonly Handler[] = [
  listPlans,
  previewPromo,
  listProducts,
  listKeys,
  listRevocations,
  validateLicence,
  releaseSeat,
  getDocument,
  makeDocument,
  checkIn,
  listMachines,
  releaseMachine,
  resetReleases,
  suspendHost,
  resumeHost,
]

const DAY_S = 86_400

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  job(PRICE_RISE, mailPriceRise),
  job(DEBT_STEP, runDebtStep),
  job(PUBLISH_SUSPENSIONS, publishSuspensions),
  cronJob(jobKind('sweep_debts', 'money'), 300, sweepDebts),
  cronJob(jobKind('sweep_licences', 'money'), 300, sweepLicences),
  cronJob(jobKind('sweep_machines', 'rest'), DAY_S, (app) => transaction(app, 'system', sweepMachines)),
  cronJob(jobKind('drop_revocations', 'rest'), DAY_S, (app) => transaction(app, 'system', dropRevocations)),
]

export const reactions = [
  on(hostDeleted, (_app, tx, { id }) => endDeleted(tx, id)),
  on(hostTransferred, (_app, tx, host) =>
    host.same_person ? stayWithOwner(tx, host) : leaveOwner(tx, host.id),
  ),
  on(addressesChanged, (_app, tx, host) => moveAddresses(tx, host)),
  on(autoRenewChanged, async (_app, tx, { id, auto_renew }) => {
    if (auto_renew) askToRenewNow(tx, id)
    else await forgetRefusal(tx, id)
  }),
  on(balanceOverdrawn, (app, tx, { user_id }) => beginDebt(app, tx, user_id)),
  on(balanceRose, async (app, tx, { user_id, balance }) => {
    if (balance >= 0n) await settleDebt(app, tx, user_id)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'suspensions.json': () => suspensionsOf(app.db, user_id),
  'machines.json': () => machinesFile(app, user_id),
  'debts.json': () => debtsOf(app.db, user_id),
  'promo_codes.json': () => promoUsesOf(app.db, user_id),
})
