import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.customers.pattern,
    page: () => import('./customers-page.tsx').then((file) => file.CustomersPage),
    title: m.shell_customers,
    staffOnly: true,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchCustomers()),
  },
  {
    path: paths.customer.pattern,
    page: () => import('./customer-page.tsx').then((file) => file.CustomerPage),
    title: m.shell_customers,
    staffOnly: true,
    prefetch: ({ userId = '' }) => import('./hooks.ts').then((file) => file.prefetchCustomer(userId)),
  },
]
