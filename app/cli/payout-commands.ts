import { payoutStates } from '#features/payouts/rules.ts'
import type { Command } from './command.ts'
import { oneOf } from './options.ts'

const load = () => import('./payouts.ts')

const moving = {
  '--reason <TEXT>': 'for the customer',
  '--idempotency-key <KEY>':
    'a word of your own: repeated with it, the command moves nothing twice and answers as before',
}

/** The commands for money that goes back to customers. The code of each command is loaded on demand. */
export const payoutCommands: Record<string, Command> = {
  'payout list': {
    about: 'Lists the payouts under way, the newest 100.',
    parameters: [],
    options: { '--state <STATE>': oneOf(payoutStates) },
    run: async (environment, _parameters, options) => (await load()).list(environment, options),
  },
  'payout make': {
    about: 'Pays an amount of a balance out to a bank account; vouchers and credit are never paid out.',
    parameters: ['CUSTOMER', 'AMOUNT', 'IBAN', 'HOLDER'],
    options: moving,
    run: async (environment, parameters, options) => (await load()).make(environment, parameters, options),
  },
  'payout refund': {
    about: 'Gives a payment back to the card or account that it came from, all that may leave or an amount.',
    parameters: ['CUSTOMER', 'TRANSACTION'],
    options: { ...moving, '--amount <AMOUNT>': 'a part of it, as 19.90' },
    run: async (environment, parameters, options) =>
      (await load()).refundToSource(environment, parameters, options),
  },
  'payout file': {
    about:
      'Writes the payouts that wait into a SEPA file for the bank (pain.001). A payout is in one file only.',
    parameters: ['FILE'],
    run: async (environment, parameters) => (await load()).file(environment, parameters),
  },
  'payout sent': {
    about: 'Records that a payout was sent.',
    parameters: ['REFERENCE'],
    run: async (environment, parameters) => (await load()).sent(environment, parameters),
  },
  'payout returned': {
    about: 'Records that a payout failed or came back; its money is on the balance again.',
    parameters: ['REFERENCE'],
    options: { '--reason <TEXT>': 'for the customer' },
    run: async (environment, parameters, options) =>
      (await load()).returned(environment, parameters, options),
  },
}
