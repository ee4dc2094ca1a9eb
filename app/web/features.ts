import type { SlotEntry } from '#foundation/web/slots.tsx'
import type { PageRoute } from '#foundation/web/pages.ts'
import { routes as auth } from '#features/auth/web/routes.tsx'
import { routes as finance } from '#features/finance/web/routes.tsx'
import { routes as hosts } from '#features/hosts/web/routes.tsx'
import { slots as invoicesSlots } from '#features/invoices/web/slots.ts'
import { slots as legal } from '#features/legal/web/slots.ts'
import { slots as licences } from '#features/licences/web/slots.ts'
import { routes as invoices } from '#features/invoices/web/routes.tsx'
import { routes as customers } from '#features/customers/web/routes.tsx'
import { routes as payers } from '#features/payers/web/routes.tsx'
import { routes as profile } from '#features/profile/web/routes.tsx'
import { routes as security } from '#features/security/web/routes.tsx'
import { slots as sharingSlots } from '#features/sharing/web/slots.ts'
import { routes as sharing } from '#features/sharing/web/routes.tsx'
import { routes as support } from '#features/support/web/routes.tsx'
import { routes as team } from '#features/team/web/routes.tsx'
import { slots as sales } from '#features/sales/web/slots.ts'
import { slots as supportSlots } from '#features/support/web/slots.ts'

/** The pages of customers. A feature is mounted by its line here; its pages for staff by a line in `staff-pages.ts`. */
export const pages: readonly PageRoute[] = [
  ...profile,
  ...security,
  ...auth,
  ...finance,
  ...invoices,
  ...hosts,
  ...sharing,
  ...payers,
  ...support,
  ...team,
  ...customers,
]

/**
 * The components that features put into slots of other features' pages, in the order of features/README.md. Components that only staff
 * see are in `staff-pages.ts`.
 */
export const slots: readonly SlotEntry[] = [
  ...legal,
  ...invoicesSlots,
  ...sharingSlots,
  ...licences,
  ...sales,
  ...supportSlots,
]
