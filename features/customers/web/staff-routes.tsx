import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.customers.pattern,
    page: () => import('./customers-page.tsx').then((file) => file.CustomersPage),
    staffOnly: 'customers.read',
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchCustomers()),
  },
  {
    path: paths.customer.pattern,
    page: () => import('./customer-page.tsx').then((file) => file.CustomerPage),
    staffOnly: 'customers.read',
    prefetch: ({ userId = '' }) => import('./hooks.ts').then((file) => file.prefetchCustomer(userId)),
  },
  {
    path: paths.transfers.pattern,
    page: () => import('./transfers-page.tsx').then((file) => file.TransfersPage),
    staffOnly: 'banking.read',
  },
]
