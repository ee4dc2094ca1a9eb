import type { Command } from './command.ts'

const keyOption = {
  '--idempotency-key <KEY>':
    'a word of your own: repeated with it, the command moves nothing twice and answers as before',
}

/** The commands that change the balance of one customer by hand. The code of each command is loaded on demand. */
export const moneyCommands: Record<string, Command> = {
  credit: {
    about: 'Puts an amount (19.90) on the balance of a customer, who reads the reason.',
    parameters: ['EMAIL', 'AMOUNT', 'REASON'],
    options: keyOption,
    run: async (environment, parameters, options) =>
      (await import('./money.ts')).creditBy(environment, parameters, options),
  },
  refund: {
    about:
      'Gives back what a transaction has taken, all of it, an amount or some months, to the balance of the customer.',
    parameters: ['CUSTOMER', 'TRANSACTION'],
    options: {
      '--reason <TEXT>': 'for the customer',
      '--amount <AMOUNT>': 'a part of it, as 19.90',
      '--months <COUNT>': 'so many of the months that were paid, instead of an amount',
      '--order <ORDER>': 'one order of several that the transaction has paid',
      '--end-for-next-owner':
        'end the paid term also where the server has another owner by now, who is mailed',
      ...keyOption,
    },
    run: async (environment, parameters, options) =>
      (await import('./money-back.ts')).refundBy(environment, parameters, options),
  },
  'charge-back': {
    about: 'Takes a top-up from the balance that the bank has taken back.',
    parameters: ['CUSTOMER', 'TOP_UP'],
    options: {
      '--reason <TEXT>': 'for the customer',
      '--amount <AMOUNT>': 'a part of it, as 19.90',
      ...keyOption,
    },
    run: async (environment, parameters, options) =>
      (await import('./money-back.ts')).chargeBackBy(environment, parameters, options),
  },
}
