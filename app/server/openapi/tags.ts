import type { Tag } from '#foundation/contract.ts'
import type { Json } from './schemas.ts'

type Group = 'Customers' | 'Staff' | 'Browser only' | 'Agents'

/** The parts of the API in the order of the document, each with its readers and its subject. */
const parts: Readonly<Record<Tag, readonly [group: Group, description: string]>> = {
  Servers: ['Customers', 'The servers of a customer, their agents and figures.'],
  Sharing: ['Customers', 'Helpers: people whom a customer lets act for the account.'],
  Tokens: ['Customers', 'Tokens by which programs act for the account, as helpers do.'],
  Webhooks: ['Customers', 'Programs of a customer get what happens in the account.'],
  'Payment agreements': ['Customers', 'Agreements by which one account pays for servers of another.'],
  Licences: ['Customers', 'Plans, orders, paid terms and the signed licence.'],
  Finances: ['Customers', 'The prepaid balance: transactions, top-ups, vouchers.'],
  Invoices: ['Customers', 'Invoices and credit notes, and their documents.'],
  Tickets: ['Customers', 'Tickets, messages and files.'],
  Help: ['Customers', 'The articles of the help centre.'],
  Profile: ['Customers', 'The person, their mails, their data.'],
  Announcements: ['Customers', 'Maintenance, incidents and news of the operator.'],
  'Live stream': ['Customers', 'What happens, told as it happens.'],
  'Account events': ['Customers', 'What webhooks get, and the list of events holds.'],
  'Staff tickets': ['Staff', 'The tickets of all customers, notes and canned replies.'],
  'Staff customers': ['Staff', 'What staff see of a customer.'],
  'Staff finances': ['Staff', 'Credits, refunds and bank transfers.'],
  'Staff members': ['Staff', 'Who is staff, and what each may do.'],
  'Staff approvals': ['Staff', 'What staff ask for and a second member confirms.'],
  'Staff catalogue': ['Staff', 'The plans with their prices, and the vouchers that are out.'],
  'Staff books': ['Staff', 'What the books say of the sales, for the tax return.'],
  'Staff operations': ['Staff', 'What it takes to run the installation: announcements, the audit.'],
  'Staff webhooks': ['Staff', 'Programs of the operator get what happens in all accounts.'],
  'Sign-in': ['Browser only', 'Signing up, in and out; forgotten passwords.'],
  Security: ['Browser only', 'Password, second factors, passkeys, sessions.'],
  Addresses: ['Browser only', 'The email addresses of the account.'],
  Agents: ['Agents', 'What programs on the machines of customers call.'],
  'Payment providers': ['Agents', 'What payment providers call.'],
}

export const tags = (): Json[] =>
  Object.entries(parts).map(([name, [, description]]) => ({ name, description }))

/** Returns the parts grouped by their readers, for programs that show the document. */
export const tagGroups = (): Json[] =>
  [...new Set(Object.values(parts).map(([group]) => group))].map((group) => ({
    name: group,
    tags: Object.entries(parts)
      .filter(([, [of]]) => of === group)
      .map(([name]) => name),
  }))
