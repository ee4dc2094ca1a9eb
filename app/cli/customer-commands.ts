import type { Command } from './command.ts'

const reason = { '--reason <TEXT>': 'for the audit log' }
const message = {
  ...reason,
  '--cause <WORD>': 'fraud, payment, terms (unless another is named) or stolen',
  '--message <TEXT>': 'for the customer, in the mail and in the account',
}
const WHO = 'CUSTOMER is a confirmed address, or the id of the account.'

/** The commands for the actions of a customer's page. The code of each command is loaded on demand. */
export const customerCommands: Record<string, Command> = {
  'customer find': {
    about:
      'Finds customers by a part of a name, company, email address or street, the beginning of the name of a server, an IPv4, an IPv6 or a network (198.51.100. or 2001:db8::/32), a licence key, a VAT ID, an IBAN or its end (…8765), or the number of an invoice, ticket or transfer.',
    parameters: ['TEXT'],
    run: async (environment, parameters) =>
      (await import('./find-customers.ts')).find(environment, parameters),
  },
  'customer show': {
    about: `Prints how a customer signs in and what is blocked. ${WHO}`,
    parameters: ['CUSTOMER'],
    run: async (environment, parameters) =>
      (await import('./find-customers.ts')).show(environment, parameters),
  },
  'customer block': {
    about: `Lets a customer buy no more. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: message,
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).block(environment, 'blocked', parameters, options),
  },
  'customer lock': {
    about: `Lets nobody sign in to an account any more, and ends all sessions. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: message,
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).block(environment, 'locked', parameters, options),
  },
  'customer unblock': {
    about: `Opens a blocked or locked account again. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).block(environment, 'none', parameters, options),
  },
  'customer sessions': {
    about: `Prints where a customer is signed in. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: { ...reason, '--end': 'sign out everywhere' },
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).sessions(environment, parameters, options),
  },
  'customer storage': {
    about: `Lets a customer keep more files than STORAGE_PER_CUSTOMER, so many megabytes more. ${WHO}`,
    parameters: ['CUSTOMER', 'MEGABYTES'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./storage.ts')).storage(environment, parameters, options),
  },
  'customer reset-2fa': {
    about: `Takes lost second factors and the password away after STAFF_RESET_WAIT_H. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: { ...reason, '--now': 'at once; every confirmed address is mailed' },
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).resetFactor(environment, parameters, options),
  },
  'customer confirm-address': {
    about: 'Confirms an address of an account that has none confirmed; customer find prints the id.',
    parameters: ['ID', 'ADDRESS'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).confirmAddress(environment, parameters, options),
  },
  'customer export': {
    about: `Writes everything that is kept about a customer to a ZIP file. ${WHO}`,
    parameters: ['CUSTOMER', 'FILE'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).exportTo(environment, parameters, options),
  },
  'customer merge': {
    about: `Merges an account into another one of the same person after STAFF_RESET_WAIT_H; both are mailed. ${WHO}`,
    parameters: ['CUSTOMER', 'INTO'],
    options: { ...reason, '--now': 'at once' },
    run: async (environment, parameters, options) =>
      (await import('./merge.ts')).merge(environment, parameters, options),
  },
  'customer unmerge': {
    about: `Undoes the merge of an account within 7 days, and says what stays. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: reason,
    run: async (environment, parameters, options) =>
      (await import('./merge.ts')).undo(environment, parameters, options),
  },
  'customer erase': {
    about: `Deletes an account for good, where no balance is left. ${WHO}`,
    parameters: ['CUSTOMER'],
    options: { ...reason, '--yes': 'needed, as nothing brings it back' },
    run: async (environment, parameters, options) =>
      (await import('./customers.ts')).erase(environment, parameters, options),
  },
}
