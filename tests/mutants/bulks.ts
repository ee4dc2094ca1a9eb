import { checkouts } from './checkouts.ts'
import { inFile, type Mutant } from './mutant.ts'

const bulk = ['features/sales/server/bulk.test.ts']
const refunds = ['features/sales/server/bulk-refunds.test.ts']

/** Mutants of acts for many servers at once, which are done for all or none, at the price that was shown, and refunded one by one. */
export const bulks: readonly Mutant[] = [
  ...checkouts,
  ...inFile('features/sales/server/bulk.ts', bulk, [
    [
      'if (planned.refused.length === 0 && isShown) return',
      'if (isShown) return',
      'one refused server refuses all',
    ],
    ['isSameMoney(shown, total))', 'isSameMoney(shown, shown))', 'a bulk costs what was shown'],
  ]),
  ...inFile(
    'features/sales/server/checkout-acts.ts',
    ['features/sales/server/checkouts-of-several.test.ts'],
    [
      [
        "if (act === 'renew' && servers.some(isRenewed))",
        'if (isRenewed === undefined)',
        'two open renewals of several servers are not both done',
      ],
    ],
  ),
  ...inFile('features/sales/server/bulk-servers.ts', bulk, [
    ['if (rows.length < public_ids.length) throw notFound()', '', 'foreign servers are missing'],
  ]),
  ...inFile(
    'features/sales/server/gate.ts',
    ['features/sales/server/payer-limits.test.ts'],
    [
      [
        'if (payer) await assertPayerPays(tx, payer, of_month)',
        '',
        'a payer pays no more in a month than agreed',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/sale.ts',
    ['features/sales/server/payer-limits.test.ts'],
    [['payment.take(sum.total)', '', 'nothing is charged that has not passed the gate']],
  ),
  ...inFile('features/licences/server/claim-queries.ts', bulk, [
    [
      'o.place < w.place and o.ipv4 = w.ipv4',
      'false and o.ipv4 = w.ipv4',
      'an address has one licence in one order, too',
    ],
  ]),
  ...inFile('features/invoices/server/amounts.ts', refunds, [
    ['const share = upTo(before + net) - upTo(before)', 'const share = (vat * net) / whole', 'shares add up'],
  ]),
  ...inFile('features/sales/server/parts.ts', refunds, [
    [
      "if (!part && (amount ?? left) !== left) throw badRequest('required', 'order_id')",
      '',
      'nobody can say whose time is worth less',
    ],
  ]),
  ...inFile('features/sales/server/book-refund.ts', refunds, [
    [
      'part ? paid.filter(({ id }) => id === part.order_id) : paid',
      'paid',
      'a refund of one server ends its time alone',
    ],
  ]),
  ...inFile('features/legal/server/withdrawal-queries.ts', refunds, [
    [
      ' and order_id = coalesce(${order_id}::uuid, order_id)',
      '',
      'a refund of one order settles no other withdrawal',
    ],
  ]),
]
