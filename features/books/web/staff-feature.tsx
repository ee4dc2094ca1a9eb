import ChartColumn from 'lucide-react/icons/chart-column'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import FileText from 'lucide-react/icons/file-text'
import { EXPORTS_CHANGED, listExports } from '#features/books/contract.ts'
import { paths } from '#features/paths.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.allInvoices.pattern,
    page: () => import('./invoices-page.tsx').then((file) => file.InvoicesPage),
    staffOnly: 'invoices.read',
    menu: { text: m.books_invoices, icon: FileText, group: 'money', keys: 'g i' },
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
    menu: { text: m.books_transactions, icon: ArrowLeftRight, group: 'money' },
  },
  {
    path: paths.reports.pattern,
    page: () => import('./reports-page.tsx').then((file) => file.ReportsPage),
    staffOnly: 'books.read',
    menu: { text: m.books_title, icon: ChartColumn, group: 'money', keys: 'g r' },
  },
]

export const live: readonly LiveReaction[] = [[EXPORTS_CHANGED, () => refreshQueries(listExports)]]
