import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/licences/contract.ts'
import { checkIn } from './check-in.ts'
import { getDocument } from './document.ts'
import { listPaidPeriods } from './history.ts'
import { orderHost, orderLicence } from './licences.ts'
import { listPlans } from './plans.ts'
import { listKeys } from './signing-keys.ts'

export const routes = [
  serve(contract.listPlans, listPlans),
  serve(contract.orderHost, orderHost),
  serve(contract.orderLicence, orderLicence),
  serve(contract.listPaidPeriods, listPaidPeriods),
  serve(contract.listKeys, listKeys),
  serve(contract.getDocument, getDocument),
  serve(contract.checkIn, checkIn),
]
