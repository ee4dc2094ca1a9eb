import {
  CUSTOMER_CHANGED,
  getCustomerAccount,
  listCustomerActivity,
  listCustomerHosts,
  listCustomers,
} from '#features/customers/contract.ts'
import { WITHDRAWALS_CHANGED } from '#features/legal/contract.ts'
import { listWithdrawals } from '#features/sales/contract.ts'
import { getCustomer } from '#features/support/desk/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

export const live: readonly LiveReaction[] = [
  [
    CUSTOMER_CHANGED,
    () => {
      for (const route of [
        getCustomer,
        getCustomerAccount,
        listCustomers,
        listCustomerActivity,
        listCustomerHosts,
      ])
        refreshQueries(route)
    },
  ],
  [
    WITHDRAWALS_CHANGED,
    () => {
      for (const route of [listWithdrawals, getStaffMe]) refreshQueries(route)
    },
  ],
]
