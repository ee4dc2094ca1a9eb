import type { Command } from './command.ts'
import { extraCommands } from './extra-commands.ts'

/** The commands for editions. The code of each command is loaded on demand. */
export const editionCommands: Record<string, Command> = {
  'edition list': {
    about: 'Prints the editions, from the least to the most.',
    parameters: [],
    run: async (environment) => (await import('./editions.ts')).listEditions(environment),
  },
  'edition add': {
    about:
      'Adds an edition; FILE is JSON with name, product (by default server), description, features, entitlements, rank and trial_days, texts as {"en", "de", "ru"}.',
    parameters: ['SLUG', 'FILE'],
    run: async (environment, parameters) =>
      (await import('./editions.ts')).makeEdition(environment, parameters),
  },
  'edition edit': {
    about: 'Changes the fields that FILE names; licences that run keep what they were bought with.',
    parameters: ['SLUG', 'FILE'],
    run: async (environment, parameters) =>
      (await import('./editions.ts')).editEdition(environment, parameters),
  },
  ...extraCommands,
}
