import { inFile, type Mutant } from './mutant.ts'

/** Mutants of the reissue of an invoice. */
export const reissues: readonly Mutant[] = [
  ...inFile(
    'features/invoices/server/reissue.ts',
    ['features/invoices/server/reissue.test.ts'],
    [
      [
        'if (expected_total && amountOf(expected_total) !== after.money.total)',
        'if (false)',
        'what is issued is what was shown',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/reissue-plan.ts',
    ['features/invoices/server/reissue.test.ts'],
    [
      [
        "return after.money.total > left.money.total ? 'total_would_rise' : undefined",
        'return undefined',
        'nobody pays more by a reissue',
      ],
      [
        'const left = await leftOf(db, original)',
        'const left = { net: original.net, vat: original.vat, total: original.total }',
        'only what is left is cancelled',
      ],
    ],
  ),
  ...inFile(
    'database/baseline/07_invoices.sql',
    ['features/invoices/server/reissue.test.ts'],
    [[' and o.user_id = head.user_id', '', 'an invoice replaces one of the same customer']],
  ),
]
