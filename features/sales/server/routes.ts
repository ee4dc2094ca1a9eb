import type { Handler } from '#foundation/server/http/handler.ts'
import { orderBulk, previewBulk } from './bulk.ts'
import { listPaidPeriods } from './history.ts'
import { overview } from './overview.ts'
import { listPaidServers } from './parts.ts'
import { refund } from './refund.ts'
import { chooseRenewalPlan } from './renewal-plan.ts'
import { orderHost, orderLicence } from './sales.ts'
import { previewUpgrade, upgradeLicence } from './upgrade.ts'
import { listWithdrawals, withdraw } from './withdrawal.ts'

export const routes: readonly Handler[] = [
  overview,
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
  refund,
]
