import { inFile, type Mutant } from './mutant.ts'

const tests = ['tests/faults/model/model.test.ts']

/** A cent that is lost by any way to buy, to pay or to be paid out: the model beside the product has another balance. */
export const model: readonly Mutant[] = [
  ...inFile('features/licences/server/extra-prices.ts', tests, [
    ['net: piece_net * BigInt(kept.quantity) }', 'net: piece_net }', 'each piece of an add-on is paid'],
    [
      "const fees = plan.extras.filter(({ kind }) => kind === 'setup')",
      'const fees: OfferedExtra[] = []',
      'the fee of a first order is paid',
    ],
  ]),
  ...inFile('features/licences/server/promo-price.ts', tests, [
    ['(net * percent + 50n)', '(net * percent)', 'a promo code lowers a price to the cent'],
    ['promo.left > 0 ?', 'promo.left > 1 ?', 'a promo code holds for the renewals that it says'],
  ]),
  ...inFile('features/licences/server/plan-price.ts', tests, [
    [
      'renewal_net : price_net',
      "renewal_net : price_net - (slug.startsWith('agent') ? 1n : 0n)",
      'a program costs what its plan says',
    ],
  ]),
  ...inFile('features/auto-top-ups/rules.ts', tests, [
    ['[sum - balance]', '[sum - balance + 1n]', 'an automatic top-up charges what lacks'],
  ]),
  ...inFile('features/finance/server/settle.ts', tests, [
    [
      'if (await queries.isPaid(tx, topUp.id))\n    return',
      'if (false as boolean)\n    return',
      'a charge is posted once',
    ],
  ]),
  ...inFile('features/sales/server/checkouts.ts', tests, [
    [
      'amount: missing > min ? missing : min',
      'amount: missing > min ? missing + 1n : min',
      'a checkout takes what lacks',
    ],
  ]),
  ...inFile('features/payouts/server/create.ts', tests, [
    [
      'takeMoneyOut(app, tx, { user_id, amount, provider,',
      'takeMoneyOut(app, tx, { user_id, amount: amount - 1n, provider,',
      'a payout takes its amount off the balance',
    ],
  ]),
]
