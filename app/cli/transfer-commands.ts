import type { Command } from './command.ts'
import { allOption } from './pages.ts'

/** The commands for money that comes by bank. The code of each command is loaded on demand. */
export const transferCommands: Record<string, Command> = {
  'transfer list': {
    about: 'Prints the bank transfers that are waited for, newest first.',
    parameters: [],
    options: allOption,
    run: async (environment, _, options) =>
      (await import('./transfers.ts')).listTransfers(environment, options),
  },
  'transfer import': {
    about:
      'Imports a bank statement: CAMT.052, .053 or .054, CSV, or a ZIP of such files. Exit code 1 while payments of it stay open.',
    parameters: ['FILE'],
    options: {
      '--profile <BANK>': 'the form of a CSV file, by the name it was saved under',
      '--book-exact': 'book what can only mean one announced transfer',
      '--dry-run': 'keep nothing, only say what would be there',
    },
    run: async (environment, [file = ''], options) =>
      (await import('./import-statement.ts')).importStatementBy(environment, file, options),
  },
  'transfer reread': {
    about:
      'Reads all imported bank files again, as this release reads them, and adds what was missing. It adds nothing twice.',
    parameters: [],
    run: async (environment) => (await import('./reread-statements.ts')).rereadStatements(environment),
  },
  'transfer confirm': {
    about: 'Books a bank transfer that has arrived, in the amount that was announced.',
    parameters: ['REFERENCE'],
    options: { '--reason <TEXT>': 'for the audit log and the mails' },
    run: async (environment, [reference = ''], options) =>
      (await import('./transfers.ts')).confirmTransferBy(environment, reference, options),
  },
  'transfer reject': {
    about: 'Stops waiting for a bank transfer, and mails the customer the reason.',
    parameters: ['REFERENCE'],
    options: { '--reason <TEXT>': 'for the customer' },
    run: async (environment, [reference = ''], options) =>
      (await import('./transfers.ts')).rejectTransferBy(environment, reference, options),
  },
}
