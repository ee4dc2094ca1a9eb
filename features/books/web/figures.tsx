import { Balances } from './balances.tsx'
import { Churn } from './churn.tsx'
import { Deferred } from './deferred.tsx'
import { Liability } from './liability.tsx'
import { Recurring } from './recurring.tsx'
import { Renewals } from './renewals.tsx'
import { Revenue } from './revenue.tsx'

/** Sales, what is owed to customers and for time to come, renewals to come, and churn, each as a plot with its table. */
export function Figures() {
  return (
    <>
      <Revenue />
      <Recurring />
      <Liability />
      <Balances />
      <Deferred />
      <Renewals />
      <Churn />
    </>
  )
}
