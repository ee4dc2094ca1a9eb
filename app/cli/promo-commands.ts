import type { Command } from './command.ts'
import { allOption } from './pages.ts'

/** The commands for promo codes. The code of each command is loaded on demand. */
export const promoCommands: Record<string, Command> = {
  'promo add': {
    about: 'Adds a promo code that lowers so many orders by LOWERS before VAT: 20% or an amount (5.00).',
    parameters: ['CODE', 'LOWERS', 'USES'],
    options: {
      '--days <DAYS>': 'until when it can be used; without it, at any time',
      '--renewals <COUNT>': 'the renewals after the order for which it holds; without it, none',
      '--editions <SLUGS>': 'the editions that it is for, with commas between; without it, each',
      '--first-order': 'only for accounts for which nothing was ever paid',
      '--note <TEXT>': 'for staff',
    },
    run: async (environment, parameters, options) =>
      (await import('./promos.ts')).addPromo(environment, parameters, options),
  },
  'promo list': {
    about: 'Prints the promo codes with their uses, newest first.',
    parameters: [],
    options: allOption,
    run: async (environment, _, options) => (await import('./promos.ts')).listPromos(environment, options),
  },
  'promo end': {
    about: 'Ends a promo code: no order can use it any more; servers that have it keep it.',
    parameters: ['CODE'],
    run: async (environment, [code = '']) => (await import('./promos.ts')).endPromo(environment, code),
  },
}
