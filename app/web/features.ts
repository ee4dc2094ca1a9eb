import type { WebFeature } from '#foundation/web/feature.ts'
import * as profile from '#features/profile/web/feature.tsx'
import * as security from '#features/security/web/feature.tsx'
import * as legal from '#features/legal/web/feature.tsx'
import * as auth from '#features/auth/web/feature.tsx'
import * as finance from '#features/finance/web/feature.tsx'
import * as methods from '#features/methods/web/feature.tsx'
import * as autoTopUps from '#features/auto-top-ups/web/feature.tsx'
import * as invoices from '#features/invoices/web/feature.tsx'
import * as hosts from '#features/hosts/web/feature.tsx'
import * as sharing from '#features/sharing/web/feature.tsx'
import * as webhooks from '#features/webhooks/web/feature.tsx'
import * as licences from '#features/licences/web/feature.tsx'
import * as payers from '#features/payers/web/feature.tsx'
import * as sales from '#features/sales/web/feature.tsx'
import * as support from '#features/support/web/feature.tsx'
import * as team from '#features/team/web/feature.tsx'
import * as payouts from '#features/payouts/web/feature.tsx'
import * as statements from '#features/statements/web/feature.tsx'
import * as customers from '#features/customers/web/feature.tsx'
import * as announcements from '#features/announcements/web/feature.tsx'
import * as assistants from '#features/assistants/web/feature.tsx'
import * as notifications from '#features/notifications/web/feature.tsx'

/**
 * The features, in the order of features/README.md, by what everybody sees of them. A feature is mounted in the browser by its name here;
 * what staff alone see, in staff-features.ts.
 */
const features: readonly WebFeature[] = [
  profile,
  security,
  legal,
  auth,
  finance,
  methods,
  autoTopUps,
  invoices,
  hosts,
  sharing,
  webhooks,
  licences,
  payers,
  sales,
  support,
  team,
  payouts,
  statements,
  customers,
  announcements,
  assistants,
  notifications,
]

export const pages = features.flatMap(({ routes }) => routes ?? [])
export const slots = features.flatMap((one) => one.slots ?? [])
export const reactions = features.flatMap(({ live }) => live ?? [])
