import { jobs as eventJobs } from '#foundation/server/account-events/jobs.ts'
import { personalData as eventData } from '#foundation/server/account-events/personal-data.ts'
import { routes as eventRoutes } from '#foundation/server/account-events/routes.ts'
import { jobs as auditJobs } from '#foundation/server/audit/jobs.ts'
import { jobs as expiryJobs } from '#foundation/server/approvals/jobs.ts'
import type { Feature } from '#foundation/server/feature.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { sealedMails } from '#foundation/server/mail/sealed.ts'
import { routes as live } from '#foundation/server/realtime/routes.ts'
import * as profile from '#features/profile/server/feature.ts'
import * as security from '#features/security/server/feature.ts'
import * as legal from '#features/legal/server/feature.ts'
import * as auth from '#features/auth/server/feature.ts'
import * as finance from '#features/finance/server/feature.ts'
import * as methods from '#features/methods/server/feature.ts'
import * as autoTopUps from '#features/auto-top-ups/server/feature.ts'
import * as invoices from '#features/invoices/server/feature.ts'
import * as hosts from '#features/hosts/server/feature.ts'
import * as sharing from '#features/sharing/server/feature.ts'
import * as webhooks from '#features/webhooks/server/feature.ts'
import * as licences from '#features/licences/server/feature.ts'
import * as payers from '#features/payers/server/feature.ts'
import * as sales from '#features/sales/server/feature.ts'
import * as help from '#features/help/server/feature.ts'
import * as support from '#features/support/server/feature.ts'
import * as drafting from '#features/drafting/server/feature.ts'
import * as team from '#features/team/server/feature.ts'
import * as approvals from '#features/approvals/server/feature.ts'
import * as payouts from '#features/payouts/server/feature.ts'
import * as statements from '#features/statements/server/feature.ts'
import * as customers from '#features/customers/server/feature.ts'
import * as catalogue from '#features/catalogue/server/feature.ts'
import * as shop from '#features/shop/server/feature.ts'
import * as banking from '#features/banking/server/feature.ts'
import * as books from '#features/books/server/feature.ts'
import * as announcements from '#features/announcements/server/feature.ts'
import * as operations from '#features/operations/server/feature.ts'
import * as assistants from '#features/assistants/server/feature.ts'
import * as notifications from '#features/notifications/server/feature.ts'

/** The features, in the order of features/README.md. A feature is mounted on the server by its name in this list. */
const features: readonly Feature[] = [
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
  help,
  support,
  drafting,
  team,
  approvals,
  payouts,
  statements,
  customers,
  catalogue,
  shop,
  banking,
  books,
  announcements,
  operations,
  assistants,
  notifications,
]

export const routes: readonly Handler[] = [...live, ...eventRoutes, ...features.flatMap((one) => one.routes)]
export const jobs = [...eventJobs, ...auditJobs, ...expiryJobs, ...features.flatMap((one) => one.jobs ?? [])]
export const reactions = features.flatMap((one) => one.reactions ?? [])
export const personalData = [eventData, ...features.flatMap((one) => one.personalData ?? [])]
export const approvable = features.flatMap((one) => one.approvable ?? [])
export const figures = features.flatMap((one) => one.figures ?? [])
export const sealed = [sealedMails, ...features.flatMap((one) => one.sealed ?? [])]
export const published = features.flatMap((one) => one.published ?? [])
export const eventBodies = features.flatMap((one) => one.eventBodies ?? [])
export const namedThings = features.flatMap((one) => one.namedThings ?? [])
export const ownedThings = features.flatMap((one) => one.ownedThings ?? [])
