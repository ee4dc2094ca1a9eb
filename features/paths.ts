import { pagePath } from '#foundation/page-path.ts'

/**
 * The addresses of all pages, for links in pages and mails alike. Each page is registered in the `feature.tsx`
 * or `staff-feature.tsx` of its feature.
 */
export const paths = {
  /** Leads on to the page that was requested, or else to the hosts; staff choose where it leads them (`firstPagePaths`). */
  home: pagePath('/'),
  signIn: pagePath('/auth'),
  signOut: pagePath('/logout'),
  /** Leads on to the account. */
  settings: pagePath('/settings'),
  account: pagePath('/settings/account'),
  security: pagePath('/settings/security'),
  /** Helpers of the account, and accounts one helps; mails lead here. */
  people: pagePath('/settings/people'),
  /** Tokens by which programs act for the account; mails lead here. */
  api: pagePath('/settings/api'),
  webhook: pagePath('/settings/api/$webhookId'),
  /** The webhooks of the operator, for staff; mails lead to one. */
  operatorWebhooks: pagePath('/staff-webhooks'),
  operatorWebhook: pagePath('/staff-webhooks/$webhookId'),
  /** With `all` one's own servers and those of all accounts that one helps; with the id of one it leads there. */
  sharedHosts: pagePath('/servers/shared/$accountId'),
  finances: pagePath('/finances'),
  /** Agreements by which one account pays for servers of another; mails lead here. */
  paidFor: pagePath('/finances/paid-for'),
  /** A charge of a saved method that its bank wants allowed; mails lead here. */
  allowCharge: pagePath('/finances/pay/$runId'),
  /** Leads on to the finances, which list them. */
  invoices: pagePath('/invoices'),
  invoice: pagePath('/invoices/$publicId'),
  /** Leads on to the hosts. */
  servers: pagePath('/servers'),
  hosts: pagePath('/servers/list'),
  host: pagePath('/servers/host/$hostId'),
  tickets: pagePath('/tickets'),
  ticket: pagePath('/tickets/$chatId'),
  /** Row R-04: another name of the same pages. */
  support: pagePath('/support'),
  supportTicket: pagePath('/support/$chatId'),
  team: pagePath('/staff-team'),
  /** The page of the link in a mail; for everybody, because the invited are no staff yet. */
  invitation: pagePath('/invitation'),
  announcements: pagePath('/staff-announcements'),
  /** The seller, for owners. */
  company: pagePath('/staff-company'),
  audit: pagePath('/staff-audit'),
  system: pagePath('/staff-system'),
  today: pagePath('/staff-today'),
  desk: pagePath('/staff-tickets'),
  /** Mails that came in and wait for a decision. */
  heldMails: pagePath('/staff-held-mails'),
  blockedSenders: pagePath('/staff-blocked-senders'),
  /** The help centre as staff write it; the public pages are drawn by the server, at /help/. */
  help: pagePath('/staff-help'),
  helpArticle: pagePath('/staff-help/$articleId'),
  deskTicket: pagePath('/staff-tickets/$chatId'),
  /** When answers are expected, for staff. */
  answerTimes: pagePath('/staff-tickets/times'),
  supportReport: pagePath('/staff-tickets/reports'),
  customers: pagePath('/staff-customers'),
  /** The servers of all customers, for staff. */
  allHosts: pagePath('/staff-servers'),
  transfers: pagePath('/staff-transfers'),
  /** The payouts of all customers, for staff. */
  payouts: pagePath('/staff-payouts'),
  approvals: pagePath('/staff-approvals'),
  catalogue: pagePath('/staff-catalogue'),
  reports: pagePath('/staff-reports'),
  allTransactions: pagePath('/staff-transactions'),
  allInvoices: pagePath('/staff-invoices'),
  anyInvoice: pagePath('/staff-invoices/$publicId'),
  customer: pagePath('/staff-customers/$userId'),
  /** The page that the mail with a customer's data leads to; a view of the sign-in page for whoever is not signed in. */
  dataExport: pagePath('/data-export'),
  /** The page that mails about the reset of a second factor lead to; a view of the sign-in page for whoever is not signed in. */
  stopReset: pagePath('/factor-reset'),
  /** The page that news by mail leads to whoever wants no more; a view of the sign-in page for whoever is not signed in. */
  stopNews: pagePath('/stop-news'),
}

/** The pages on which staff may begin, by their choice in the profile. */
export const firstPagePaths = { servers: paths.hosts(), tickets: paths.desk(), today: paths.today() }

/** The pages of the settings, which link to each other. */
export const settingsPaths = {
  account: paths.account(),
  security: paths.security(),
  people: paths.people(),
  api: paths.api(),
}
