export { claimAddresses, clashingClaims, insertClaim, refusedFor } from './address-queries.ts'
export { addPlan, changePlan, PlanHasChanged, sellPlan, type NewPlan, type PlanChange } from './catalogue.ts'
export { addEdition, changeEdition, EditionHasChanged, makeEdition, type NewEdition } from './editions.ts'
export { allEditions, editionBySlug, type EditionRow } from './edition-queries.ts'
export { historyOf, type HistoryRow } from './history-queries.ts'
export { allowReleases } from './machines.ts'
export { orderPlans } from './order-plans.ts'
export { claimAgain, endRefunded, movedUp, planChange, writeLicenceToHost } from './periods.ts'
export { allPlans, lacksPlan, renewalsAt, renewingByPlan, type PlanRow } from './plan-queries.ts'
export { atMost, findPlan, instructionFor, netFor, offerOf, renewalNetAt, runsOn } from './plans.ts'
export {
  insertOrder,
  lowerValue,
  orderedPeriod,
  ordersPaidBy,
  runtimeOf,
  writePeriods,
  type Order,
  type OrderedPeriod,
  type OrderOfPayment,
  type PaidOrder,
} from './queries.ts'
export { chargesOf, renewalPrices, renewalsFor, type Renewal } from './renewal-prices.ts'
export {
  forgetRenewalPlan,
  putRenewalPlan,
  refusedSchedules,
  scheduleOf,
  schedulesOf,
  type RenewalSchedule,
} from './renewal-queries.ts'
export { askToRenewNow, RENEW_NOW, RENEWAL_STEP, scheduleNextStep, stepsDue } from './renewal-schedule.ts'
export { dueRenewals, monthlyChurn } from './report-queries.ts'
export { resume, suspend } from './suspensions.ts'
export { claimTrialAddresses, insertTrial } from './trial-queries.ts'
export { valuedPeriods, type ValuedPeriod } from './upgrade-queries.ts'
