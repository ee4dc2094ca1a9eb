import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { listBankOddParts } from '#features/banking/contract.ts'
import { paths } from '#features/paths.ts'
import { countStaffTickets } from '#features/support/desk/contract.ts'
import { useMayWork, useStaffMe } from '#features/team/web/team.ts'
import { must } from '#foundation/must.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import type { MenuGroup } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'
import { allowedPages, pagesInMenu, type PageInMenu } from '../staff-features.ts'
import { FoldingSection } from './folding-section.tsx'
import { FooterItem } from './footer-item.tsx'
import { Section, type NavigationItem } from './navigation-list.tsx'
import { keepPermissions, keptPermissions } from './staff-menu.ts'
import { setUnread } from './unread-title.ts'
import { shownCount } from '#foundation/web/i18n/shown-count.ts'

// The navigation of staff. Customers never load this file.

const itemOf = ({ path, menu: { text, icon } }: PageInMenu): NavigationItem => ({
  to: path,
  within: [path],
  text,
  icon,
})

const desk: NavigationItem = {
  ...itemOf(must(pagesInMenu.find(({ path }) => path === paths.desk.pattern))),
  counts: true,
}

const groups: readonly [MenuGroup, () => string][] = [
  ['customers', m.shell_group_customers],
  ['money', m.shell_group_money],
  ['shop', m.shell_group_shop],
  ['installation', m.shell_group_installation],
]

/** The part of the navigation for staff: the heading Admin with Tickets (row R-12), and in groups the pages that the member may open. */
export function StaffSection() {
  const unread = useStaffUnread()
  const me = useStaffMe(true).data
  useEffect(() => {
    if (me) keepPermissions(me.permissions)
  }, [me])
  const badges = new Map<string, ReactNode>(
    me && [
      [paths.approvals(), <WaitingCount key="approvals" count={me.waiting} text={m.shell_waiting} />],
      [paths.transfers(), <OddBankParts key="transfers" />],
    ],
  )
  const pages = allowedPages(me?.permissions ?? keptPermissions() ?? [])
  // A page of no group stands beside Tickets, which everybody has first.
  const ungrouped = pages.filter(({ path, menu }) => !menu.group && path !== desk.to)
  return (
    <div className="flex flex-col gap-1 short:gap-0">
      <Section heading={m.shell_admin()} items={[desk, ...ungrouped.map(itemOf)]} unread={unread} />
      {groups.map(([group, heading]) => {
        const items = pages
          .filter(({ menu }) => menu.group === group)
          .map((page) => ({ ...itemOf(page), badge: badges.get(page.path) }))
        return items.length === 0 ? null : (
          <FoldingSection key={group} name={group} heading={heading()} items={items} />
        )
      })}
    </div>
  )
}

/** The number of parts of bank statements of which nothing was booked until staff have looked at them. */
function OddBankParts() {
  const { data } = useQuery(queryFor(listBankOddParts, { query: { limit: '1' } }))
  return <WaitingCount count={data?.open ?? 0} text={m.shell_odd_bank_parts} />
}

/** The items of staff in the phone's footer. They are rendered once, so they also set the count in the window's title. */
export function StaffFooterItems() {
  const unread = useStaffUnread()
  const me = useStaffMe(true).data
  useEffect(() => setUnread('staff', unread), [unread])
  const pages = allowedPages(me?.permissions ?? keptPermissions() ?? [])
  const waiting = me ? <WaitingCount count={me.waiting} text={m.shell_waiting} /> : undefined
  const others = pages.filter(({ path }) => path === paths.customers() || path === paths.approvals())
  return (
    <>
      <FooterItem item={desk} unread={unread} />
      {others.map((page) => (
        <FooterItem
          key={page.path}
          item={{ ...itemOf(page), ...(page.path === paths.approvals() && { badge: waiting }) }}
          unread={0}
        />
      ))}
    </>
  )
}

/** The number of unassigned tickets, plus own tickets with unread messages or a late answer, plus held mails. */
function useStaffUnread(): number {
  const { data } = useQuery({ ...queryFor(countStaffTickets), enabled: useMayWork(true) })
  return data ? data.incoming + data.mine_unread + (data.held_mails ?? 0) : 0
}

type Props = { count: number; text: (values: { count: number }) => string }

/** The number of things that wait for the user. Screen readers read it in words, because their users do not see the item beside it. */
function WaitingCount({ count, text }: Props) {
  if (count === 0) return null
  return (
    <span className="rounded-full bg-accent px-1.5 text-xs leading-5 text-on-accent">
      <span aria-hidden="true">{shownCount(count)}</span>
      <span className="sr-only">{text({ count })}</span>
    </span>
  )
}
