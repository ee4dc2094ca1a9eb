import type { Command } from './command.ts'

/** The commands for servers of customers. The code of each command is loaded on demand. */
export const hostCommands: Record<string, Command> = {
  'host suspend': {
    about:
      'Suspends a server, whose licence does not count from then on; its paid time runs on. SERVER is its id.',
    parameters: ['SERVER'],
    options: {
      '--reason <TEXT>': 'for the audit',
      '--cause <WORD>': 'charge_back, debt, abuse or other (unless another is named)',
      '--message <TEXT>': 'for the customer, in the mail and on the page of the server',
    },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).suspendHost(environment, parameters, options),
  },
  'host resume': {
    about: 'Lifts the suspension of a server. SERVER is its id.',
    parameters: ['SERVER'],
    options: { '--reason <TEXT>': 'for the audit' },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).resumeHost(environment, parameters, options),
  },
}
