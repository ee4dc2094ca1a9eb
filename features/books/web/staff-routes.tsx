import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.allInvoices.pattern,
    page: () => import('./invoices-page.tsx').then((file) => file.InvoicesPage),
    staffOnly: 'invoices.read',
  },
  {
    path: paths.anyInvoice.pattern,
    page: () => import('./any-invoice-page.tsx').then((file) => file.AnyInvoicePage),
    staffOnly: 'invoices.read',
  },
  {
    path: paths.allTransactions.pattern,
    page: () => import('./transactions-page.tsx').then((file) => file.TransactionsPage),
    staffOnly: 'finance.read',
  },
  {
    path: paths.reports.pattern,
    page: () => import('./reports-page.tsx').then((file) => file.ReportsPage),
    staffOnly: 'books.read',
  },
]
