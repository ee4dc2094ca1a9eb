import type { CommandEnvironment } from './environment.ts'

type Command = {
  about: string
  parameters: string[]
  run(surroundings: CommandEnvironment, ...given: string[]): Promise<void>
}

/** The operator's commands. Each is loaded on demand, because it needs the compiled texts. */
export const commands: Record<string, Command> = {
  'create-staff': {
    about: 'Makes a staff account and prints its password, or makes an existing account staff.',
    parameters: ['EMAIL'],
    run: async (surroundings, email) => (await import('./create-staff.ts')).createStaff(surroundings, email),
  },
  doctor: {
    about: 'Looks at settings, database, mail, disk and clock, and says what is wrong.',
    parameters: [],
    run: async (surroundings) => (await import('./doctor.ts')).examine(surroundings),
  },
  ledger: {
    about: "With 'check': recomputes all balances, and says what is not in balance.",
    parameters: ['check'],
    run: async (surroundings, act) => (await import('./ledger.ts')).reportLedger(surroundings, act),
  },
  voucher: {
    about: "With 'make': makes a voucher over an amount (19.90) for some uses, and prints its code.",
    parameters: ['make', 'AMOUNT', 'USES', 'DAYS'],
    run: async (surroundings, ...given) => (await import('./money.ts')).makeVoucherBy(surroundings, given),
  },
  credit: {
    about: 'Puts an amount (19.90) on the balance of a customer, who reads the reason.',
    parameters: ['EMAIL', 'AMOUNT', 'REASON'],
    run: async (surroundings, ...given) => (await import('./money.ts')).creditBy(surroundings, given),
  },
  'plan list': {
    about: 'Prints what is sold, with net prices.',
    parameters: [],
    run: async (surroundings) => (await import('./plans.ts')).listPlans(surroundings),
  },
  'plan add': {
    about: 'Sells something new; TERM is P1M, P3M or P1Y, PRICE is net, like 19.90.',
    parameters: ['SLUG', 'TERM', 'PRICE', 'ENGLISH', 'GERMAN', 'RUSSIAN'],
    run: async (surroundings, ...given) => (await import('./plans.ts')).addPlan(surroundings, ...given),
  },
  'plan edit': {
    about: 'Changes price and names from now on; what was ordered stays as it was.',
    parameters: ['SLUG', 'PRICE', 'ENGLISH', 'GERMAN', 'RUSSIAN'],
    run: async (surroundings, ...given) => (await import('./plans.ts')).editPlan(surroundings, ...given),
  },
  'plan retire': {
    about: 'Sells it no more; who has it may renew it.',
    parameters: ['SLUG'],
    run: async (surroundings, slug) => (await import('./plans.ts')).offerPlan(surroundings, slug, false),
  },
  'plan offer': {
    about: 'Sells a retired plan again.',
    parameters: ['SLUG'],
    run: async (surroundings, slug) => (await import('./plans.ts')).offerPlan(surroundings, slug, true),
  },
  'licence rotate-key': {
    about: 'Signs licence documents with another key from now on; those that are out stay genuine.',
    parameters: [],
    run: async (surroundings) => (await import('./signing-keys.ts')).rotate(surroundings),
  },
  'licence withdraw-key': {
    about: 'For a stolen key: nothing that it signed is genuine any more.',
    parameters: ['KEY_ID'],
    run: async (surroundings, kid) => (await import('./signing-keys.ts')).withdraw(surroundings, kid),
  },
  'demo remove': {
    about: 'Removes the example people with all that is theirs; production starts without them only.',
    parameters: [],
    run: async (surroundings) => (await import('./demo.ts')).removeExamples(surroundings),
  },
  'demo retire': {
    about: 'The same where others have bookings by now: erases the example people and keeps all books.',
    parameters: [],
    run: async (surroundings) => (await import('./demo.ts')).retireExamples(surroundings),
  },
  'invoice redraw': {
    about: 'Draws the documents of an invoice again, as another version; number and amounts stay.',
    parameters: ['NUMBER'],
    run: async (surroundings, number) => (await import('./invoices.ts')).redrawInvoice(surroundings, number),
  },
  backup: {
    about: 'Writes the whole database to a file, while the product runs.',
    parameters: ['FILE'],
    run: async (surroundings, file) => (await import('./backup.ts')).backUpTo(surroundings, file),
  },
  restore: {
    about: 'Fills an empty database from such a file.',
    parameters: ['FILE'],
    run: async (surroundings, file) => (await import('./backup.ts')).restoreFrom(surroundings, file),
  },
}

export function help(): string {
  const lines = Object.entries(commands).map(
    ([name, { parameters, about }]) => `  ${[name, ...parameters].join(' ').padEnd(20)}  ${about}`,
  )
  return ['npm run hostdesk -- COMMAND', '', ...lines, `  ${'help'.padEnd(20)}  Prints this.`, '', ''].join(
    '\n',
  )
}
