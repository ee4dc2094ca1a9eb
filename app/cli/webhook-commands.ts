import type { Command } from './command.ts'

/** The commands for webhooks of customers and of the operator. The code of each command is loaded on demand. */
export const webhookCommands: Record<string, Command> = {
  'webhook list': {
    about:
      'Lists the webhooks of the account of this id or confirmed address; those of the operator for the word operator.',
    parameters: ['CUSTOMER'],
    run: async (environment, parameters) => (await import('./webhooks.ts')).list(environment, parameters),
  },
  'webhook pause': {
    about: 'Sends nothing more to a webhook; its events wait for 30 days. ID is that of the list.',
    parameters: ['ID'],
    run: async (environment, parameters) =>
      (await import('./webhooks.ts')).setState(environment, parameters, 'paused'),
  },
  'webhook enable': {
    about: 'Goes on with a webhook where it stood. ID is that of the list.',
    parameters: ['ID'],
    run: async (environment, parameters) =>
      (await import('./webhooks.ts')).setState(environment, parameters, 'enabled'),
  },
}
