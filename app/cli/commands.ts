import type { Command } from './command.ts'
import { companyCommands } from './company-commands.ts'
import { customerCommands } from './customer-commands.ts'
import { editionCommands } from './edition-commands.ts'
import { moneyCommands } from './money-commands.ts'
import { allOption } from './pages.ts'
import { planCommands } from './plan-commands.ts'
import { productCommands } from './product-commands.ts'
import { promoCommands } from './promo-commands.ts'
import { invoiceCommands } from './invoice-commands.ts'
import { holdCommands } from './hold-commands.ts'
import { hostCommands } from './host-commands.ts'
import { reportCommands } from './report-commands.ts'
import { robotCommands } from './robot-commands.ts'
import { ticketCommands } from './ticket-commands.ts'
import { tokenCommands } from './token-commands.ts'
import { voucherCommands } from './voucher-commands.ts'
import { webhookCommands } from './webhook-commands.ts'
import { settingsCommands } from './settings.ts'
import { autoTopUpCommands } from './auto-top-up-commands.ts'
import { payoutCommands } from './payout-commands.ts'
import { transferCommands } from './transfer-commands.ts'

/** The headings in the help for commands of two words, by the first word. */
export const groups: Record<string, string> = {
  announcement: 'What customers are told:',
  audit: 'Who did what:',
  approval: 'What waits for a second member of staff:',
  company: 'Who sells:',
  customer: 'Customers:',
  database: 'The PostgreSQL that comes along:',
  demo: 'The example people:',
  edition: 'What plans are terms of:',
  extra: 'What is sold with an edition:',
  hold: 'What is kept for an audit:',
  host: 'Servers of customers:',
  invoice: 'Invoices:',
  jobs: 'Work that failed for good:',
  keys: 'SECRET_KEY:',
  ledger: 'The books:',
  licence: 'Keys that sign licence documents:',
  mail: 'Mails that come in:',
  mails: 'Mails:',
  plan: 'What is sold:',
  product: 'What editions are editions of:',
  promo: 'Promo codes:',
  rates: 'Exchange rates, where VAT is stated in a second currency:',
  report: 'What the business earns, and is owed:',
  robot: 'Members of staff that are no person:',
  staff: 'Members of staff:',
  ticket: 'Tickets:',
  token: 'Tokens by which programs act for customers:',
  transfer: 'Bank transfers:',
  vat: 'VAT IDs of customers:',
  voucher: 'Vouchers:',
  webhook: 'Webhooks of customers and of the operator:',
}

const reason = { '--reason <TEXT>': 'for the audit log and the mails' }
const identity = { '--identity <FILE>': 'the file of age keys that opens an encrypted backup' }

/** The operator's commands besides `start`. Each is loaded on demand, because it needs the compiled texts. */
export const commands: Record<string, Command> = {
  'create-staff': {
    about: 'Makes the account that has confirmed this address staff, or sends an invitation there.',
    parameters: ['EMAIL'],
    options: {
      '--role <ROLES>': 'support, billing, admin, owner, several with commas, instead of support,billing',
      '--print-link': 'print the link of the invitation, too',
    },
    run: async (environment, [email = ''], options) =>
      (await import('./create-staff.ts')).createStaff(environment, email, options),
  },
  doctor: {
    about:
      'Looks at settings, database, workers, storage, mail and what else it depends on, and says what is wrong.',
    parameters: [],
    options: { '--mail <ADDRESS>': 'send a mail there' },
    run: async (environment, _, options) => (await import('./doctor.ts')).examine(environment, options),
  },
  ...settingsCommands,
  ...tokenCommands,
  ...robotCommands,
  ...webhookCommands,
  'staff list': {
    about: 'Prints who is staff, with roles.',
    parameters: [],
    run: async (environment) => (await import('./staff.ts')).listMembers(environment),
  },
  'staff role': {
    about:
      'Gives an account these roles instead of those it has: support, billing, admin, owner, several with commas.',
    parameters: ['EMAIL', 'ROLES'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./staff.ts')).giveRolesBy(environment, parameters, options),
  },
  'staff revoke': {
    about: 'Takes all roles of an account, ends its sessions and gives its tickets back.',
    parameters: ['EMAIL'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./staff.ts')).giveRolesBy(environment, parameters, options),
  },
  'staff reset-2fa': {
    about: 'Takes lost second factors and the password of a member away after STAFF_RESET_WAIT_H.',
    parameters: ['EMAIL'],
    options: { ...reason, '--now': 'at once; every confirmed address is mailed' },
    run: async (environment, parameters, options) =>
      (await import('./staff.ts')).resetMember(environment, parameters, options),
  },
  'approval list': {
    about: 'Prints what waits for a second member of staff.',
    parameters: [],
    options: allOption,
    run: async (environment, _, options) =>
      (await import('./approvals.ts')).listWaiting(environment, options),
  },
  'announcement list': {
    about: 'Prints the newest announcements with their states.',
    parameters: [],
    options: allOption,
    run: async (environment, _, options) =>
      (await import('./announcements.ts')).listAnnouncements(environment, options),
  },
  'announcement write': {
    about:
      'Writes an announcement for the readers that FILE names, and prints how many it would reach; FILE is JSON with the fields of POST /api/staff/announcements/.',
    parameters: ['FILE'],
    run: async (environment, [file = '']) =>
      (await import('./announcements.ts')).writeFrom(environment, file),
  },
  'announcement news-readers': {
    about: 'Writes the customers who asked for news by mail to a CSV file, with their languages.',
    parameters: ['FILE'],
    options: { '--language <CODE>': 'only those who chose this language: en, de or ru' },
    run: async (environment, [file = ''], options) =>
      (await import('./announcements.ts')).exportNewsReaders(environment, file, options),
  },
  'announcement publish': {
    about: 'Publishes an announcement as it is written, in all three languages.',
    parameters: ['ID'],
    run: async (environment, [id = '']) => (await import('./announcements.ts')).publishBy(environment, id),
  },
  ...companyCommands,
  ...customerCommands,
  ...holdCommands,
  ...hostCommands,
  'jobs failed': {
    about: 'Prints the jobs that used up their attempts.',
    parameters: [],
    run: async (environment) => (await import('./failed-work.ts')).listFailed(environment),
  },
  'jobs retry': {
    about: 'Runs a failed job again.',
    parameters: ['ID'],
    run: async (environment, [id = '']) => (await import('./failed-work.ts')).retryJob(environment, id),
  },
  'mails list': {
    about: 'Prints what was mailed to a customer, newest first, with state and id, without texts.',
    parameters: ['CUSTOMER'],
    options: allOption,
    run: async (environment, parameters, options) =>
      (await import('./mails.ts')).listMails(environment, parameters, options),
  },
  'mails again': {
    about: 'Sends a mail once more, to the address of today; never one that holds a link of security.',
    parameters: ['ID'],
    run: async (environment, [id = '']) => (await import('./mails.ts')).sendAgainBy(environment, id),
  },
  'mails dead': {
    about: 'Prints the mails that were given up, without their texts.',
    parameters: [],
    run: async (environment) => (await import('./failed-work.ts')).listDead(environment),
  },
  'mails retry': {
    about: 'Sends a mail again that was given up.',
    parameters: ['ID'],
    run: async (environment, [id = '']) => (await import('./failed-work.ts')).resend(environment, id),
  },
  'audit tail': {
    about: 'Prints the newest 20 entries of the audit log, the newest last.',
    parameters: [],
    options: {
      '-f, --follow': 'keep printing new ones, one JSON object a line with --json',
      '--act <NAME>': 'only this action, as session.started',
      '--customer <ID>': 'only what concerns this account',
    },
    run: async (environment, _, options) => (await import('./audit.ts')).tail(environment, options),
  },
  'ledger check': {
    about: 'Recomputes all balances, and says what is not in balance.',
    parameters: [],
    run: async (environment) => (await import('./ledger.ts')).reportLedger(environment),
  },
  ...reportCommands,
  ...voucherCommands,
  ...ticketCommands,
  ...transferCommands,
  ...moneyCommands,
  ...payoutCommands,
  ...autoTopUpCommands,
  ...productCommands,
  ...promoCommands,
  ...editionCommands,
  ...planCommands,
  'keys reseal': {
    about: 'After SECRET_KEY was changed: seals everything anew that SECRET_KEY_OLD sealed.',
    parameters: [],
    run: async (environment) => (await import('./keys.ts')).reseal(environment),
  },
  'licence rotate-key': {
    about: 'Signs licence documents with another key from now on; those that are out stay genuine.',
    parameters: [],
    run: async (environment) => (await import('./signing-keys.ts')).rotate(environment),
  },
  'licence withdraw-key': {
    about: 'For a stolen key: nothing that it signed is genuine any more.',
    parameters: ['KEY_ID'],
    run: async (environment, [kid = '']) => (await import('./signing-keys.ts')).withdraw(environment, kid),
  },
  'statement-key rotate': {
    about: 'Signs statements with another key from now on; those that are out stay genuine.',
    parameters: [],
    run: async (environment) => (await import('./statement-keys.ts')).rotate(environment),
  },
  'statement-key withdraw': {
    about: 'For a stolen key: of what it signed, only that is genuine which is under the root of its month.',
    parameters: ['KEY_ID'],
    run: async (environment, [kid = '']) => (await import('./statement-keys.ts')).withdraw(environment, kid),
  },
  'licence revocations': {
    about: 'Prints the list of void licence documents that machines fetch, the newest 100 first.',
    parameters: [],
    run: async (environment) => (await import('./revocations.ts')).printRevocations(environment),
  },
  'database upgrade': {
    about:
      'Moves DATA_DIR to the PostgreSQL of this release; FOLDER is the release before, or has bin/postgres of its PostgreSQL.',
    parameters: ['FOLDER'],
    withDatabase: false,
    run: async (environment, [folder = '']) =>
      (await import('./upgrade-database.ts')).upgradeDatabase(environment, folder),
  },
  'demo remove': {
    about: 'Removes the example people with all that is theirs; production starts without them only.',
    parameters: [],
    run: async (environment) => (await import('./demo.ts')).removeExamples(environment),
  },
  'demo retire': {
    about: 'The same where others have bookings by now: erases the example people and keeps all books.',
    parameters: [],
    run: async (environment) => (await import('./demo.ts')).retireExamples(environment),
  },
  ...invoiceCommands,
  backup: {
    about: 'Writes everything to one file, while the product runs: database, jobs, uploaded files.',
    parameters: ['FILE'],
    options: {
      '--recipient <KEY>':
        'encrypt for this public key of age (several with commas) instead of by the settings',
      '--with-keys': 'put the key of the installation into it, which only an encrypted backup may hold',
    },
    run: async (environment, [file = ''], options) =>
      (await import('./backup.ts')).backUpTo(environment, file, options),
  },
  'backup verify': {
    about: 'Reads a backup through, and says whether it is whole.',
    parameters: ['FILE'],
    options: identity,
    run: async (environment, [file = ''], options) =>
      (await import('./backup.ts')).verify(environment, file, options),
  },
  restore: {
    about: 'Fills an empty database from a backup, and puts its files back.',
    parameters: ['FILE'],
    options: {
      ...identity,
      '--drill': 'only try it: in a scratch database, compared row by row, with the ledger checked',
      '--database <URL>': 'an empty database for the drill; without it one is made and dropped',
    },
    run: async (environment, [file = ''], options) =>
      options['drill'] === true
        ? (await import('./drill.ts')).drill(environment, file, options)
        : (await import('./backup.ts')).restoreFrom(environment, file, options),
  },
}
