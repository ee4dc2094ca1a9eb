import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import type { Command } from './command.ts'
import { oneOf } from './options.ts'
import { allOption } from './pages.ts'

/** The commands that list, export and issue invoices, and those that VAT needs. The code of each command is loaded on demand. */
export const invoiceCommands: Record<string, Command> = {
  'invoice list': {
    about: 'Prints the invoices and credit notes that fit, newest first.',
    parameters: [],
    options: {
      '--find <TEXT>': 'the number of a document, or whatever finds a customer',
      '--kind <KIND>': oneOf(invoiceKinds),
      '--from <DAY>': 'issued on this day or later, as 2026-01-31',
      '--to <DAY>': 'issued on this day or before',
      '--country <CODE>': 'in which the VAT is due, as DE',
      '--vat <KIND>': oneOf(vatKinds),
      ...allOption,
    },
    run: async (environment, _, options) =>
      (await import('./invoices.ts')).listInvoicesBy(environment, options),
  },
  'invoice export': {
    about: 'Writes the invoices of some days to a file.',
    parameters: ['FILE'],
    options: {
      '--from <DAY>': 'the first day, as 2026-01-01',
      '--to <DAY>': 'the last day',
      '--format <FORMAT>':
        'csv (a table, unless another is named), zip (all documents), datev (whole months) or vat (a quarter)',
    },
    run: async (environment, [file = ''], options) =>
      (await import('./invoices.ts')).exportInvoicesBy(environment, file, options),
  },
  'invoice reissue': {
    about:
      'Cancels what is left of an invoice and reissues it, to the buyer of the profile or another one. The customer gets both documents by mail.',
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
  'invoice redraw': {
    about: 'Draws the documents of an invoice again, as another version; number and amounts stay.',
    parameters: ['NUMBER'],
    run: async (environment, [number = '']) =>
      (await import('./invoices.ts')).redrawInvoice(environment, number),
  },
  'rates import': {
    about:
      'Takes exchange rates from a CSV file of the European Central Bank: those of a day, or all of its history. Known rates stay.',
    parameters: ['FILE'],
    run: async (environment, [file = '']) => (await import('./rates.ts')).importRates(environment, file),
  },
  'vat check': {
    about:
      'Asks the tax authority about the VAT ID of a customer now. ID is a confirmed address, or the id of the account. Exit code 1 unless it is confirmed.',
    parameters: ['ID'],
    run: async (environment, parameters) => (await import('./vat.ts')).checkVat(environment, parameters),
  },
}
