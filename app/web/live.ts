import { live as announcements } from '#features/announcements/web/live.ts'
import { live as approvals } from '#features/approvals/web/live.ts'
import { live as customers } from '#features/customers/web/live.ts'
import { live as finance } from '#features/finance/web/live.ts'
import { live as invoices } from '#features/invoices/web/live.ts'
import { live as hosts } from '#features/hosts/web/live.ts'
import { live as licences } from '#features/licences/web/live.ts'
import { live as profile } from '#features/profile/web/live.ts'
import { live as security } from '#features/security/web/live.ts'
import { live as team } from '#features/team/web/live.ts'
import { live as sharing } from '#features/sharing/web/live.ts'
import { live as payers } from '#features/payers/web/live.ts'
import { live as sales } from '#features/sales/web/live.ts'
import { live as support } from '#features/support/web/live.ts'
import { live as banking } from '#features/banking/web/live.ts'
import { live as books } from '#features/books/web/live.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

/** The features' reactions to live events, in the order of features/README.md. Loaded after the first page. */
export const reactions: readonly LiveReaction[] = [
  ...profile,
  ...security,
  ...finance,
  ...invoices,
  ...hosts,
  ...sharing,
  ...licences,
  ...payers,
  ...sales,
  ...support,
  ...team,
  ...approvals,
  ...customers,
  ...banking,
  ...books,
  ...announcements,
]
