import type { StaffWebFeature } from '#foundation/web/feature.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import * as help from '#features/help/web/staff-feature.tsx'
import * as support from '#features/support/web/staff-feature.tsx'
import * as drafting from '#features/drafting/web/staff-feature.tsx'
import * as customers from '#features/customers/web/staff-feature.tsx'
import * as catalogue from '#features/catalogue/web/staff-feature.tsx'
import * as shop from '#features/shop/web/staff-feature.tsx'
import * as banking from '#features/banking/web/staff-feature.tsx'
import * as payouts from '#features/payouts/web/staff-feature.tsx'
import * as books from '#features/books/web/staff-feature.tsx'
import * as approvals from '#features/approvals/web/staff-feature.tsx'
import * as announcements from '#features/announcements/web/staff-feature.tsx'
import * as team from '#features/team/web/staff-feature.tsx'
import * as webhooks from '#features/webhooks/web/staff-feature.tsx'
import * as operations from '#features/operations/web/staff-feature.tsx'
import * as notifications from '#features/notifications/web/staff-feature.tsx'

/** The features by what staff alone see of them, in the order of the menu. Loaded after the first page, or for a page of staff. */
const features: readonly StaffWebFeature[] = [
  help,
  support,
  drafting,
  customers,
  catalogue,
  shop,
  banking,
  payouts,
  books,
  approvals,
  announcements,
  team,
  webhooks,
  operations,
  notifications,
]

export const staffPages = features.flatMap(({ routes }) => routes ?? [])

/** A page of staff in the menu and in the palette. */
export type PageInMenu = StaffPageRoute & Required<Pick<StaffPageRoute, 'menu'>>
export const pagesInMenu = staffPages.filter((page): page is PageInMenu => page.menu !== undefined)

/** Returns the pages in the menu that a member with these permissions may open. */
export const allowedPages = (permissions: readonly string[]): PageInMenu[] =>
  pagesInMenu.filter(({ staffOnly }) => staffOnly === true || permissions.includes(staffOnly))

export const staffSlots = features.flatMap(({ slots }) => slots ?? [])
export const staffReactions = features.flatMap(({ live }) => live ?? [])
