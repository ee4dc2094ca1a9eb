import { inFile, type Mutant } from './mutant.ts'

const order = ['foundation/server/database/transaction.test.ts']
const ofPayers = ['features/sales/server/charges-of-payers.test.ts']
const races = ['features/sales/server/payer-races.test.ts']

/** The mutants of the one order of locks (rule 9). */
export const locks: readonly Mutant[] = [
  ...inFile('foundation/server/database/lock-order.ts', order, [
    ['place > kind.place', 'place < kind.place', 'no lock of a kind is taken after those behind it'],
    ["kind.again === 'never' ||", '', 'agreements and balances are locked once'],
    ['before.some((one) => one > key)', 'false', 'rows of one kind are locked by rising keys'],
    ['if (isRefused) throw error', '', 'a lock out of order is red in the tests'],
  ]),
  ...inFile('foundation/server/database/hardly-waiting.ts', order, [
    [
      '=== LOCK_NOT_AVAILABLE ? new TryAgain()',
      '=== undefined ? new TryAgain()',
      'what may not wait begins anew',
    ],
    ['await setWait(tx, LONGEST_WAIT)', '', 'what locks in another order does not wait'],
  ]),
  ...inFile('foundation/server/database/transaction.ts', order, [
    ['retries.add({ reason })', '', 'deadlocks are counted'],
  ]),
  ...inFile('foundation/server/database/unavailable.ts', order, [
    ['|40001|40P01)', ')', 'who lost against others is asked to come again'],
  ]),
  ...inFile('features/sales/server/upgrade.ts', ofPayers, [
    [', creditedBy(planned.exchanges))', ')', 'an upgrade locks all of its balances before it books'],
  ]),
  ...inFile('features/sales/server/upgrade.ts', races, [
    [
      'await lockCredits(tx, [host.id])',
      '',
      'an upgrade locks what it credits before agreements and balances',
    ],
  ]),
  ...inFile('features/sales/server/bulk-write.ts', races, [
    [
      'passGate(app, tx, payments, credited)',
      'passGate(app, tx, payments)',
      'a bulk locks the balances that it credits with those that pay',
    ],
  ]),
  ...inFile('features/sales/server/book-refund.ts', races, [
    [
      'order_id === undefined || id === order_id ? [host_id] : []',
      '[host_id]',
      'a credit for one server locks no other server of the same payment',
    ],
  ]),
  ...inFile(
    'features/invoices/rules.ts',
    ['features/licences/rules.test.ts'],
    [
      [' - 86_400_000).toISOString()', ').toISOString()', 'successive paid periods share no day'],
      ['before < first_day ? first_day : before', 'before', 'a period ends on no day before its first'],
    ],
  ),
  ...inFile(
    'features/sales/server/upgrade-plan.ts',
    ['features/sales/server/charges-of-payers.test.ts'],
    [
      [
        'const pay_now = charge - creditTo(exchanges, buyer_id)',
        'const pay_now = charge - credit',
        'what comes back to another account is not this one’s to spend',
      ],
    ],
  ),
  ...inFile('features/sales/server/upgrade.ts', ofPayers, [
    [
      'given > 0n && period.kept_id !== buyer_id',
      'false',
      'a preview says which credit goes to another account',
    ],
    ['money(credit - creditTo(exchanges, buyer_id))', 'money(0n)', 'a preview says how much goes there'],
  ]),
]
