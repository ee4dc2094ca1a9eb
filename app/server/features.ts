import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { jobs as auditJobs } from '#foundation/server/audit/jobs.ts'
import { jobs as expiryJobs } from '#foundation/server/approvals/jobs.ts'
import type { Reaction } from '#foundation/server/events.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import type { Job } from '#foundation/server/jobs/jobs.ts'
import type { NamedThing, OwnedThing } from '#foundation/server/acting.ts'
import type { EventBodies } from '#foundation/server/realtime/bodies.ts'
import type { Figures } from '#foundation/server/operation/figures.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { sealedMails } from '#foundation/server/mail/sealed.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { routes as live } from '#foundation/server/realtime/routes.ts'
import { jobs as approvalsJobs } from '#features/approvals/server/jobs.ts'
import { reactions as approvalsReactions } from '#features/approvals/server/reactions.ts'
import { routes as approvals } from '#features/approvals/server/routes.ts'
import { reactions as authReactions } from '#features/auth/server/reactions.ts'
import { routes as auth } from '#features/auth/server/routes.ts'
import { approvable as financeApprovable } from '#features/finance/server/approvable.ts'
import { approvable as invoicesApprovable } from '#features/invoices/server/approvable.ts'
import { approvable as customersApprovable } from '#features/customers/server/approvable.ts'
import { jobs as customersJobs } from '#features/customers/server/jobs.ts'
import { jobs as financeJobs } from '#features/finance/server/jobs.ts'
import { figures as financeFigures } from '#features/finance/server/figures.ts'
import {
  personalData as financeData,
  reactions as financeReactions,
} from '#features/finance/server/reactions.ts'
import { routes as finance } from '#features/finance/server/routes.ts'
import { ownedHost } from '#features/hosts/server/hosts.ts'
import { ownedInvoice } from '#features/invoices/server/invoices.ts'
import { ownedBankLine } from '#features/banking/server/banking.ts'
import { jobs as hostsJobs } from '#features/hosts/server/jobs.ts'
import { personalData as hostsData, reactions as hostsReactions } from '#features/hosts/server/reactions.ts'
import { routes as hosts } from '#features/hosts/server/routes.ts'
import { jobs as invoicesJobs } from '#features/invoices/server/jobs.ts'
import {
  personalData as invoicesData,
  reactions as invoicesReactions,
} from '#features/invoices/server/reactions.ts'
import { routes as invoices } from '#features/invoices/server/routes.ts'
import { jobs as licencesJobs } from '#features/licences/server/jobs.ts'
import {
  personalData as licencesData,
  reactions as licencesReactions,
} from '#features/licences/server/reactions.ts'
import { sealed as sealedKeys } from '#features/licences/server/sealed.ts'
import { personalData as legalData } from '#features/legal/server/personal-data.ts'
import { routes as legal } from '#features/legal/server/routes.ts'
import { routes as licences } from '#features/licences/server/routes.ts'
import { approvable as salesApprovable } from '#features/sales/server/approvable.ts'
import { jobs as salesJobs } from '#features/sales/server/jobs.ts'
import { personalData as salesData, reactions as salesReactions } from '#features/sales/server/reactions.ts'
import { routes as sales } from '#features/sales/server/routes.ts'
import { jobs as payersJobs } from '#features/payers/server/jobs.ts'
import {
  personalData as payersData,
  reactions as payersReactions,
} from '#features/payers/server/reactions.ts'
import { routes as payers } from '#features/payers/server/routes.ts'
import { jobs as profileJobs } from '#features/profile/server/jobs.ts'
import { routes as profile } from '#features/profile/server/routes.ts'
import {
  personalData as securityData,
  reactions as securityReactions,
} from '#features/security/server/reactions.ts'
import { sealed as sealedFactors } from '#features/security/server/sealed.ts'
import { routes as security } from '#features/security/server/routes.ts'
import { jobs as sharingJobs } from '#features/sharing/server/jobs.ts'
import {
  personalData as sharingData,
  reactions as sharingReactions,
} from '#features/sharing/server/reactions.ts'
import { routes as sharing } from '#features/sharing/server/routes.ts'
import { jobs as supportJobs } from '#features/support/server/jobs.ts'
import { personalData as ticketsData } from '#features/support/tickets/server/reactions.ts'
import { reactions as supportReactions } from '#features/support/server/reactions.ts'
import { routes as support } from '#features/support/server/routes.ts'
import { approvable as teamApprovable } from '#features/team/server/approvable.ts'
import { jobs as teamJobs } from '#features/team/server/jobs.ts'
import { reactions as teamReactions } from '#features/team/server/reactions.ts'
import { routes as team } from '#features/team/server/routes.ts'
import { approvable as catalogueApprovable } from '#features/catalogue/server/approvable.ts'
import { routes as catalogue } from '#features/catalogue/server/routes.ts'
import {
  personalData as customersData,
  reactions as customersReactions,
} from '#features/customers/server/reactions.ts'
import { routes as customers } from '#features/customers/server/routes.ts'
import { approvable as announcementsApprovable } from '#features/announcements/server/approvable.ts'
import { jobs as announcementsJobs } from '#features/announcements/server/jobs.ts'
import { routes as announcements } from '#features/announcements/server/routes.ts'
import { approvable as bankingApprovable } from '#features/banking/server/approvable.ts'
import { jobs as bankingJobs } from '#features/banking/server/jobs.ts'
import { routes as banking } from '#features/banking/server/routes.ts'
import { jobs as booksJobs } from '#features/books/server/jobs.ts'
import { routes as books } from '#features/books/server/routes.ts'
import { routes as operations } from '#features/operations/server/routes.ts'
import { namedThings as supportThings } from '#features/support/server/named-things.ts'
import { eventBodies as ticketBodies } from '#features/support/tickets/server/event-bodies.ts'

/** The calls of all features, in the order of features/README.md. A feature is mounted on the server by its lines in this file. */
export const routes: readonly Handler[] = [
  ...live,
  ...profile,
  ...security,
  ...legal,
  ...auth,
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
  ...catalogue,
  ...banking,
  ...books,
  ...announcements,
  ...operations,
]

export const reactions: readonly Reaction[] = [
  ...securityReactions,
  ...authReactions,
  ...financeReactions,
  ...invoicesReactions,
  ...hostsReactions,
  ...sharingReactions,
  ...licencesReactions,
  ...payersReactions,
  ...salesReactions,
  ...supportReactions,
  ...teamReactions,
  ...approvalsReactions,
  ...customersReactions,
]

/** The files that features add to the copy of all data about an account, beside the profile. */
export const personalData: readonly PersonalData[] = [
  securityData,
  legalData,
  financeData,
  invoicesData,
  hostsData,
  sharingData,
  licencesData,
  payersData,
  salesData,
  ticketsData,
  customersData,
]

export const eventBodies: readonly EventBodies[] = [ticketBodies]

/** The things whose ids stand in paths, such as a ticket, each with the query for its owner: a helper acts for the owner's account. */
export const namedThings: readonly NamedThing[] = supportThings

/** The things whose ids stand in paths of calls of staff, each with the query for its owner: no member acts on a thing of their own. */
export const ownedThings: readonly OwnedThing[] = [ownedHost, ownedInvoice, ownedBankLine]

/** Figures of features for `/metrics`. */
export const figures: readonly Figures[] = [financeFigures]

/** All values that SECRET_KEY seals. */
export const sealed: readonly Sealed[] = [sealedMails, sealedFactors, sealedKeys]

/** The actions of staff that may need a second person. */
export const approvable: readonly ApprovableAct[] = [
  ...financeApprovable,
  ...invoicesApprovable,
  ...salesApprovable,
  ...teamApprovable,
  ...catalogueApprovable,
  ...bankingApprovable,
  ...announcementsApprovable,
  ...customersApprovable,
]

export const jobs: readonly Job[] = [
  ...auditJobs,
  ...expiryJobs,
  ...profileJobs,
  ...financeJobs,
  ...invoicesJobs,
  ...hostsJobs,
  ...sharingJobs,
  ...licencesJobs,
  ...payersJobs,
  ...salesJobs,
  ...supportJobs,
  ...bankingJobs,
  ...booksJobs,
  ...teamJobs,
  ...approvalsJobs,
  ...customersJobs,
  ...announcementsJobs,
]
