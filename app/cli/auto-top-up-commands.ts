import type { Command } from './command.ts'

/** The commands for balances that fill themselves. The code of each command is loaded on demand. */
export const autoTopUpCommands: Record<string, Command> = {
  'auto-top-up show': {
    about:
      'Shows the automatic top-up of the account of this id or confirmed address, and its newest charges.',
    parameters: ['CUSTOMER'],
    run: async (environment, parameters) => (await import('./auto-top-ups.ts')).show(environment, parameters),
  },
  'auto-top-up pause': {
    about: 'Pauses it until its customer turns it on again, who gets a mail with the reason.',
    parameters: ['CUSTOMER'],
    options: { '--reason <TEXT>': 'for the customer and the audit' },
    run: async (environment, parameters, options) =>
      (await import('./auto-top-ups.ts')).pause(environment, parameters, options),
  },
}
