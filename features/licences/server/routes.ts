import type { Handler } from '#foundation/server/http/handler.ts'
import { orderBulk, previewBulk } from './bulk.ts'
import { checkIn } from './check-in.ts'
import { getDocument } from './document.ts'
import { listPaidPeriods } from './history.ts'
import { orderHost, orderLicence } from './licences.ts'
import { listMachines, releaseMachine, resetReleases } from './machines.ts'
import { chooseRenewalPlan } from './renewal-plan.ts'
import { listPaidServers } from './parts.ts'
import { listPlans } from './plans.ts'
import { previewUpgrade, upgradeLicence } from './upgrade.ts'
import { validateLicence } from './validate.ts'
import { listWithdrawals, withdraw } from './withdrawal.ts'
import { listRevocations } from './revocations.ts'
import { listKeys } from './signing-keys.ts'
import { resumeHost, suspendHost } from './suspensions.ts'

export const routes: readonly Handler[] = [
  listPlans,
  orderHost,
  orderLicence,
  previewBulk,
  orderBulk,
  previewUpgrade,
  upgradeLicence,
  chooseRenewalPlan,
  listPaidPeriods,
  listPaidServers,
  withdraw,
  listWithdrawals,
  listKeys,
  listRevocations,
  validateLicence,
  getDocument,
  checkIn,
  listMachines,
  releaseMachine,
  resetReleases,
  suspendHost,
  resumeHost,
]
