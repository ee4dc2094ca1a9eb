import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

const ofMails = 'says who gets a mail'
const ofPage = 'says what a page shows; each call is judged for itself'

/** The server's files that read the roles of people, and why none of them judges a caller. */
const reading: Readonly<Record<string, string>> = {
  'features/approvals/server/mails.ts': ofMails,
  'features/customers/server/lock-customer.ts':
    'an owner may act on an account of staff, which only its row tells',
  'features/customers/server/search.ts': 'finds payers only for those who may read bank statements',
  'features/invoices/server/seller-limits.ts': ofMails,
  'features/operations/server/setup.ts': 'says if each owner has a second factor',
  'features/licences/server/price-rise.ts': ofMails,
  'features/sales/server/refund-mails.ts': ofMails,
  'features/notifications/server/notifications.ts': 'the kinds that may reach the caller',
  'features/notifications/server/reactions.ts': 'whom a note mentions',
  'features/profile/server/mail-preferences.ts': 'mails of their own',
  'features/profile/server/profile.ts': 'people of the team alone choose a first page',
  'features/profile/server/read-profile.ts': ofPage,
  'features/operations/server/today.ts': 'leaves out the figures of lists that the member may not read',
  'features/support/answers/server/answers.ts': ofPage,
  'features/team/server/give-roles.ts': 'counts the owners that would be left',
  'features/team/server/members.ts': ofPage,
  'features/team/server/robot-mails.ts': ofMails,
  'features/team/server/robots.ts': ofPage,
  'features/team/server/team.ts': ofPage,
  'features/webhooks/server/mails.ts': ofMails,
  'foundation/server/approvals/allowances.ts': 'says who can decide, and how much a role may move',
  'foundation/server/approvals/decide.ts': 'the member who asked may still ask',
  'foundation/server/approvals/jobs.ts': 'the member who asked may still ask',
  'foundation/server/http/access.ts': 'the judge',
  'foundation/server/http/serve.ts': 'tells a member of staff what they lack',
}

/** Callers are judged by what the contract of their call declares, through access.ts (rule 59): a handler that reads roles is a second judge. */
export const verdicts: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path.includes('/server/') && !(path in reading))
    .filter((path) =>
      /\bmayDo\(|staff_roles\??\.(?:includes|some|length|find)\b|\.permissions\.(?:find|some)\(/.test(
        read(path),
      ),
    )
    .map(
      (path) =>
        `${path}: let the contract say who may (staff(…), orStaff, kinds) and refusalOfStaff judge it, or list it in tests/architecture/rules/verdicts.ts with what else it reads roles for (rule 59).`,
    )
