import { inFile, type Mutant } from './mutant.ts'
import { statements } from './statements.ts'

const refunds = ['features/payouts/server/refund-top-up.test.ts']
const byMollie = ['features/payouts/server/refund-by-mollie.test.ts']
const bank = ['features/payouts/server/payouts.test.ts']

/** Mutants of money that goes back to its customers, and of what says where it went. */
export const payouts: readonly Mutant[] = [
  ...inFile('features/payouts/server/payouts.ts', bank, [
    ['if (amount > payable)', 'if (false)', 'a customer has no more paid out than may leave'],
    ['await assertFewUnderWay(tx, user_id)', '', 'few payouts of a customer are under way at once'],
  ]),
  ...inFile('features/payouts/server/staff-acts.ts', bank, [
    [
      "way === 'source' || state === 'failed' || state === 'returned'",
      'false',
      'money comes back once, and never while a provider may still send it',
    ],
    ["!['requested', 'sent'].includes(row.state)", 'false', 'a payout that came back is not sent any more'],
  ]),
  ...inFile('features/payouts/server/files.ts', bank, [
    ['if (await mayBeOne(app, tx, by, user_id))', 'if (false)', 'nobody sends money to themselves by a file'],
    ["if (row.state !== 'requested') continue", '', 'a payout of a file that ended meanwhile stays so'],
  ]),
  ...inFile('features/payouts/server/account-queries.ts', bank, [
    ["(p.state = 'requested' or", '(false or', 'an account that a payout under way needs is not erased'],
  ]),
  ...inFile('features/payouts/server/send-refund.ts', refunds, [
    [
      'const isAgain = row.asked_at !== null',
      'const isAgain = false',
      'a refund is looked for before it is asked for again',
    ],
    ['amount, isAgain, reference }', 'amount, isAgain, reference: null }', 'a refund is never made twice'],
    [
      'if (!isOurs || row.amount !== told.amount || row.currency !== told.currency)',
      'if (!row)',
      'an event that lies about a refund moves nothing',
    ],
    [
      "if (row.state === 'failed' || row.state === 'returned') return",
      '',
      'money that came back stays, in whatever order events come',
    ],
    ['if (isAnother)', 'if (false)', 'a second refund that went out is seen by staff'],
    [
      "if (answer.state === 'refused')",
      'if (false)',
      'a refund that the provider refuses is on the balance again',
    ],
  ]),
  ...inFile('features/payouts/server/queries.ts', byMollie, [
    ["and asked_at < now() - interval '1 day'", '', 'a refund under way is asked about once a day'],
    ['and provider_reference is not null', '', 'a refund that was not taken yet keeps its own attempts'],
  ]),
  ...inFile('features/finance/server/providers/mollie-refund.ts', byMollie, [
    [
      'if (reference !== null) throw',
      'if (false) throw',
      'a refund that Mollie has taken is not asked for anew',
    ],
  ]),
  ...inFile('features/finance/server/providers/providers.ts', byMollie, [
    ['hasKey?.(config) !== false', 'true', 'no refund waits for a provider that is not called'],
  ]),
  ...inFile('features/payouts/server/refund-by-hand.ts', refunds, [
    ['others.length > 0 || left >= amount', 'false', 'a refund by hand ends no other one than its own'],
    ['row.amount === amount &&', '', 'a refund by hand of another amount ends none'],
    ["isBack && same.state === 'sent'", 'isBack', 'a refund by hand that failed is on the balance once'],
  ]),
  ...inFile('features/payouts/server/account-queries.ts', refunds, [
    [
      "and ended_at < now() - ${days} * interval '1 day'`.execute",
      '`.execute',
      'the address of a refund is kept as long as its mails may need it',
    ],
  ]),
  ...inFile('features/payouts/server/refund-top-up.ts', refunds, [
    ['if (amount > most || amount <= 0n)', 'if (false)', 'no more of a payment goes back than is left of it'],
  ]),
  ...inFile('features/finance/server/payment-events.ts', refunds, [
    ['if (payout !== null)', 'if (false)', 'a refund that a payout asked for is booked once'],
  ]),
  ...statements,
]
