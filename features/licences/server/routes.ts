import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/licences/contract.ts'
import { listPaidPeriods } from './history.ts'
import { orderHost, orderLicence } from './licences.ts'
import { listPlans } from './plans.ts'

export const routes = [
  serve(contract.listPlans, listPlans),
  serve(contract.orderHost, orderHost),
  serve(contract.orderLicence, orderLicence),
  serve(contract.listPaidPeriods, listPaidPeriods),
]
