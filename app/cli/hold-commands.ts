import type { Command } from './command.ts'

/** The commands that keep a period for an audit. The code of each command is loaded on demand. */
export const holdCommands: Record<string, Command> = {
  'hold begin': {
    about: 'Keeps invoices, tickets and their files of these days, whatever else would erase them.',
    parameters: ['FROM', 'TO'],
    options: { '--reason <TEXT>': 'for the audit log and the page System' },
    run: async (environment, parameters, options) =>
      (await import('./holds.ts')).begin(environment, parameters, options),
  },
  'hold end': {
    about: 'Ends a hold: what is due is erased within a day.',
    parameters: ['ID'],
    run: async (environment, [id = '']) => (await import('./holds.ts')).end(environment, id),
  },
  'hold list': {
    about: 'Prints the holds that stand.',
    parameters: [],
    run: async (environment) => (await import('./holds.ts')).list(environment),
  },
}
