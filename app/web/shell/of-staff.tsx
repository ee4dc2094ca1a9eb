import { useQuery } from '@tanstack/react-query'
import Activity from 'lucide-react/icons/activity'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import FileText from 'lucide-react/icons/file-text'
import Inbox from 'lucide-react/icons/inbox'
import ChartColumn from 'lucide-react/icons/chart-column'
import Landmark from 'lucide-react/icons/landmark'
import ListChecks from 'lucide-react/icons/list-checks'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import Megaphone from 'lucide-react/icons/megaphone'
import ScrollText from 'lucide-react/icons/scroll-text'
import UserCog from 'lucide-react/icons/user-cog'
import Users from 'lucide-react/icons/users'
import { useEffect, type ReactNode } from 'react'
import { listBankOddParts } from '#features/banking/contract.ts'
import { paths } from '#features/paths.ts'
import { countStaffTickets } from '#features/support/desk/contract.ts'
import { useMayWork, useStaffMe } from '#features/team/web/team.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'
import { FooterItem } from './footer-item.tsx'
import { Section, type NavigationItem } from './navigation-list.tsx'
import { setUnread } from './unread-title.ts'
import { WaitingCount } from './waiting-count.tsx'

// The navigation of staff. Customers never load this file.

const desk: NavigationItem = {
  to: paths.desk(),
  within: [paths.desk()],
  text: m.shell_tickets,
  icon: Inbox,
  counts: true,
}

/** The items besides the desk, each for staff who hold the permission `needs`. */
const others: readonly (NavigationItem & { needs: string })[] = [
  {
    to: paths.customers(),
    within: [paths.customers()],
    text: m.shell_customers,
    icon: Users,
    needs: 'customers.read',
  },
  {
    to: paths.transfers(),
    within: [paths.transfers()],
    text: m.customers_transfers,
    icon: Landmark,
    needs: 'banking.read',
  },
  {
    to: paths.catalogue(),
    within: [paths.catalogue()],
    text: m.catalogue_title,
    icon: ShoppingBag,
    needs: 'catalogue.read',
  },
  {
    to: paths.allInvoices(),
    within: [paths.allInvoices()],
    text: m.books_invoices,
    icon: FileText,
    needs: 'invoices.read',
  },
  {
    to: paths.allTransactions(),
    within: [paths.allTransactions()],
    text: m.books_transactions,
    icon: ArrowLeftRight,
    needs: 'finance.read',
  },
  {
    to: paths.reports(),
    within: [paths.reports()],
    text: m.books_title,
    icon: ChartColumn,
    needs: 'books.read',
  },
  {
    to: paths.approvals(),
    within: [paths.approvals()],
    text: m.approvals_title,
    icon: ListChecks,
    needs: 'approvals.read',
  },
  {
    to: paths.announcements(),
    within: [paths.announcements()],
    text: m.announcements_title,
    icon: Megaphone,
    needs: 'announcements.publish',
  },
  { to: paths.team(), within: [paths.team()], text: m.team_title, icon: UserCog, needs: 'team.read' },
  {
    to: paths.audit(),
    within: [paths.audit()],
    text: m.operations_audit,
    icon: ScrollText,
    needs: 'audit.read',
  },
  {
    to: paths.system(),
    within: [paths.system()],
    text: m.operations_system,
    icon: Activity,
    needs: 'system.read',
  },
]

/** The part of the navigation for staff: the heading Admin with Tickets and the items that the member may use (row R-12). */
export function StaffSection() {
  const unread = useStaffUnread()
  const me = useStaffMe(true).data
  const permissions = me?.permissions ?? []
  const badges = new Map<string, ReactNode>([
    [paths.approvals(), <WaitingCount key="approvals" count={me?.waiting ?? 0} text={m.shell_waiting} />],
    [paths.transfers(), <OddBankParts key="transfers" />],
  ])
  const allowed = others.filter(({ needs }) => permissions.includes(needs))
  const items = [desk, ...allowed.map((item) => ({ ...item, badge: badges.get(item.to) }))]
  return <Section heading={m.shell_admin()} items={items} unread={unread} />
}

/** The number of parts of bank statements of which nothing was booked until staff have looked at them. */
function OddBankParts() {
  const { data } = useQuery(queryFor(listBankOddParts, { query: { limit: '1' } }))
  return <WaitingCount count={data?.open ?? 0} text={m.shell_odd_bank_parts} />
}

/** The desk, the only item of staff in the phone's footer. It is rendered once, so it also sets the count in the window's title. */
export function StaffFooterItem() {
  const unread = useStaffUnread()
  useEffect(() => setUnread('staff', unread), [unread])
  return <FooterItem item={desk} unread={unread} />
}

/** The number of unassigned tickets, plus own tickets with unread messages. */
function useStaffUnread(): number {
  const { data } = useQuery({ ...queryFor(countStaffTickets), enabled: useMayWork(true) })
  return data ? data.incoming + data.mine_unread : 0
}
