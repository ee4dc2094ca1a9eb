import type { Command } from './command.ts'

/** The commands that print what Reports shows. The code of each command is loaded on demand. */
export const reportCommands: Record<string, Command> = {
  'report revenue': {
    about: 'Prints recurring revenue with customers won and lost, by month, plan and customer.',
    parameters: [],
    options: { '--month <MONTH>': 'up to the end of this month (2026-10) instead of now' },
    run: async (environment, _, options) => (await import('./report.ts')).reportRevenue(environment, options),
  },
  'report debts': {
    about: 'Prints what customers owe and since when, the oldest first.',
    parameters: [],
    options: {
      '--day <DAY>': 'at the end of this day (2026-10-31) instead of now',
      '--csv <FILE>': 'writes them to this new file instead',
    },
    run: async (environment, _, options) => (await import('./report.ts')).reportDebts(environment, options),
  },
}
