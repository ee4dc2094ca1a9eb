import type { Command } from './command.ts'

/** The commands for the seller. The code of each command is loaded on demand. */
export const companyCommands: Record<string, Command> = {
  'company show': {
    about: 'Prints the seller: its data and its bank account, as changed on a page or else as set.',
    parameters: [],
    run: async (environment) => (await import('./company.ts')).showCompany(environment),
  },
  'company set': {
    about: 'Changes the fields that FILE names; FILE is JSON as company show --json prints it.',
    parameters: ['FILE'],
    run: async (environment, [file = '']) => (await import('./company.ts')).setCompany(environment, file),
  },
}
