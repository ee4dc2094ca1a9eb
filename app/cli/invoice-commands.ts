import type { Command } from './command.ts'

/** The commands that issue invoices again and check VAT ids. The code of each command is loaded on demand. */
export const invoiceCommands: Record<string, Command> = {
  'invoice reissue': {
    about:
      'Cancels what is left of an invoice and issues it again, to the buyer of the profile or another one. The customer gets both documents by mail.',
    parameters: ['NUMBER'],
    options: {
      '--reason <TEXT>': 'for the customer, on the credit note',
      '--vat <WORD>': 'keep (unless decide is said) or decide: by what is known now',
      '--name <TEXT>': 'the person; with any of these the buyer is not that of the profile,',
      '--company <TEXT>': 'and what is not said stays as the invoice has it',
      '--street <TEXT>': 'with the number',
      '--apartment <TEXT>': 'apartment or floor',
      '--zip <TEXT>': 'the postal code',
      '--city <TEXT>': 'the city',
      '--state <TEXT>': 'the state or region',
      '--country <CODE>': 'as DE',
      '--vat-id <ID>': 'as ATU12345678',
      '--dry-run': 'only say what it would come to',
    },
    run: async (environment, [number = ''], options) =>
      (await import('./reissue.ts')).reissueBy(environment, number, options),
  },
  'rates import': {
    about:
      'Takes exchange rates from a CSV file of the European Central Bank: those of a day, or all of its history. Known rates stay.',
    parameters: ['FILE'],
    run: async (environment, [file = '']) => (await import('./rates.ts')).importRates(environment, file),
  },
  'vat check': {
    about:
      'Asks the tax authority about the VAT id of a customer now. ID is a confirmed address, or the id of the account. Exit code 1 unless it is confirmed.',
    parameters: ['ID'],
    run: async (environment, parameters) => (await import('./vat.ts')).checkVat(environment, parameters),
  },
}
