import type { Command } from './command.ts'

/** The commands for extras of editions. The code of each command is loaded on demand. */
export const extraCommands: Record<string, Command> = {
  'extra list': {
    about: 'Prints the extras of editions, retired ones too.',
    parameters: [],
    run: async (environment) => (await import('./extras.ts')).listExtras(environment),
  },
  'extra add': {
    about:
      'Adds an extra to an edition; FILE is JSON with edition, kind (setup, addon or once), name as {"en", "de", "ru"}, price_net in minor units, and most.',
    parameters: ['SLUG', 'FILE'],
    run: async (environment, parameters) => (await import('./extras.ts')).makeExtra(environment, parameters),
  },
  'extra edit': {
    about: 'Changes the fields that FILE names: name, price_net, most, is_active. What was agreed stays.',
    parameters: ['SLUG', 'FILE'],
    run: async (environment, parameters) => (await import('./extras.ts')).editExtra(environment, parameters),
  },
  'extra retire': {
    about: 'Sells an extra no more; licences that have it keep it at its agreed price.',
    parameters: ['SLUG'],
    run: async (environment, parameters) =>
      (await import('./extras.ts')).retireExtra(environment, parameters),
  },
}
