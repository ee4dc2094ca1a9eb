import type { Command } from './command.ts'
import { allOption } from './pages.ts'

/** The commands for vouchers. The code of each command is loaded on demand. */
export const voucherCommands: Record<string, Command> = {
  'voucher make': {
    about: 'Makes a voucher over an amount (19.90) for some uses, and prints its code.',
    parameters: ['AMOUNT', 'USES', 'DAYS'],
    options: {
      '--note <TEXT>': 'for staff, who see it instead of the code',
      '--word <CODE>': 'a code of your own, as SPRING-2027, instead of a random one',
    },
    run: async (environment, parameters, options) =>
      (await import('./vouchers.ts')).makeVoucherBy(environment, parameters, options),
  },
  'voucher list': {
    about: 'Prints the vouchers, newest first, without their codes.',
    parameters: [],
    options: allOption,
    run: async (environment, _, options) =>
      (await import('./vouchers.ts')).listVouchers(environment, options),
  },
  'voucher void': {
    about: 'Makes a voucher worthless from now on; ID is its number in the list.',
    parameters: ['ID'],
    options: { '--reason <TEXT>': 'for the audit' },
    run: async (environment, [id = ''], options) =>
      (await import('./vouchers.ts')).voidVoucherBy(environment, id, options),
  },
}
