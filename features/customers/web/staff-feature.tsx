import Landmark from 'lucide-react/icons/landmark'
import Server from 'lucide-react/icons/server'
import Users from 'lucide-react/icons/users'
import { waitingForMoney } from '#features/approvals/slots.ts'
import {
  CUSTOMER_CHANGED,
  getCustomerAccount,
  listCustomerActivity,
  listCustomerHosts,
  listCustomers,
} from '#features/customers/contract.ts'
import { listStaffHosts } from '#features/customers/host-contract.ts'
import { WITHDRAWALS_CHANGED } from '#features/legal/contract.ts'
import { paths } from '#features/paths.ts'
import { listWithdrawals } from '#features/sales/contract.ts'
import { getCustomer } from '#features/support/desk/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.customers.pattern,
    page: () => import('./customers-page.tsx').then((file) => file.CustomersPage),
    staffOnly: 'customers.read',
    menu: { text: m.shell_customers, icon: Users, group: 'customers', keys: 'g c' },
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchCustomers()),
  },
  {
    path: paths.customer.pattern,
    page: () => import('./customer-page.tsx').then((file) => file.CustomerPage),
    staffOnly: 'customers.read',
    prefetch: ({ userId = '' }) => import('./hooks.ts').then((file) => file.prefetchCustomer(userId)),
  },
  {
    path: paths.allHosts.pattern,
    page: () => import('./all-hosts-page.tsx').then((file) => file.AllHostsPage),
    staffOnly: 'customers.read',
    menu: { text: m.customers_servers, icon: Server, group: 'customers' },
  },
  {
    path: paths.transfers.pattern,
    page: () => import('./transfers-page.tsx').then((file) => file.TransfersPage),
    staffOnly: 'banking.read',
    menu: { text: m.customers_transfers, icon: Landmark, group: 'money', keys: 'g b' },
  },
]

/** The slots in pages of staff that the feature `customers` fills. */
export const slots: readonly SlotEntry[] = [
  provideSlot(waitingForMoney, () => import('./withdrawals.tsx').then((file) => file.Withdrawals)),
  provideSlot(waitingForMoney, () => import('./unbooked-events.tsx').then((file) => file.UnbookedEvents)),
]

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
        listStaffHosts,
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
