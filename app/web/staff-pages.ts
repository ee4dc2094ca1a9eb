import { routes as announcements } from '#features/announcements/web/staff-routes.tsx'
import { routes as approvals } from '#features/approvals/web/staff-routes.tsx'
import { slots as banking } from '#features/banking/web/slots.ts'
import { routes as books } from '#features/books/web/staff-routes.tsx'
import { routes as catalogue } from '#features/catalogue/web/staff-routes.tsx'
import { routes as customers } from '#features/customers/web/staff-routes.tsx'
import { slots as customersSlots } from '#features/customers/web/staff-slots.ts'
import { routes as operations } from '#features/operations/web/staff-routes.tsx'
import { routes as support } from '#features/support/web/staff-routes.tsx'
import { slots as supportSlots } from '#features/support/web/staff-slots.ts'
import { routes as team } from '#features/team/web/staff-routes.tsx'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import type { SlotEntry } from '#foundation/web/slots.tsx'

// Pages and components that only staff see. They are loaded when one of these pages is opened, so that they do not slow down the first
// page of a customer.

export const staffPages: readonly StaffPageRoute[] = [
  ...support,
  ...team,
  ...approvals,
  ...customers,
  ...catalogue,
  ...books,
  ...announcements,
  ...operations,
]

/** The components that features put into slots on pages of staff. */
export const staffSlots: readonly SlotEntry[] = [...supportSlots, ...customersSlots, ...banking]
