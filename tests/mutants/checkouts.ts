import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/sales/server/checkouts.test.ts']
const byHelpers = ['features/sales/server/charges-by-helpers.test.ts']

/** The mutants of orders that pay themselves by what the balance lacks. */
export const checkouts: readonly Mutant[] = [
  ...inFile('features/sales/server/gate.ts', tests, [
    [
      'if (arriving !== undefined) {',
      'if (false as boolean) {',
      'money that comes is booked before it is spent',
    ],
  ]),
  ...inFile('features/finance/server/arrivals.ts', tests, [
    ['    arriving.booked = undefined\n', '', 'money of an order that was undone is booked all the same'],
  ]),
  ...inFile('features/finance/server/settle.ts', tests, [
    ["some(({ kind }) => kind === 'charged_back')", 'some(() => false)', 'money that is gone orders nothing'],
  ]),
  ...inFile('features/sales/server/checkout-money.ts', tests, [
    [
      'if (checkout.is_over) return end(app, tx, checkout, {',
      'if (false) return end(app, tx, checkout, {',
      'an order waits no longer than it says',
    ],
    ['!mayFollow(checkout)', 'false', 'a cancelled order is not done'],
    [
      'error instanceof HttpError && error.status < 500) return',
      'error instanceof HttpError && error.status < 400) return',
      'a refusal keeps its reason',
    ],
  ]),
  ...inFile(
    'features/sales/server/checkout-payment.ts',
    ['features/sales/server/declined-checkouts.test.ts'],
    [
      [
        'if (answer.isOver) await',
        'if (false as boolean) await',
        'an order does not wait for an event that never comes',
      ],
    ],
  ),
  ...inFile(
    'features/methods/server/charge.ts',
    ['features/sales/server/declined-checkouts.test.ts'],
    [
      [" || method?.kind !== 'sepa_debit'", ' || true', 'a debit that is under way is waited for'],
      [
        "answer.state === 'declined' && answer.reference === null",
        'false',
        'a charge that was not made has no event',
      ],
    ],
  ),
  ...inFile('features/sales/server/checkout-acts.ts', tests, [
    [
      'if ((host.paid_until?.toISOString() ?? null) !== ordered.params.paid_until)',
      'if (false)',
      'nobody pays for a term twice',
    ],
    ['await acting.hold(tx)', '', 'what a helper orders names the helper'],
    ['isAtMost: true', 'isAtMost: false', 'an upgrade may cost less than was shown'],
  ]),
  ...inFile('features/sales/server/upgrade.ts', tests, [
    ['amountOf(one) < amountOf(other)', 'true', 'an upgrade costs no more than was shown'],
  ]),
  ...inFile('features/sales/server/checkouts.ts', tests, [
    [
      "if (missing <= 0n) throw new HttpError(409, [{ code: 'balance_suffices' }])",
      '',
      'nobody pays where nothing lacks',
    ],
    [
      'amount: missing > min ? missing : min',
      'amount: missing',
      'less than the smallest top-up is not taken',
    ],
    [
      'if (body.expected_payment &&',
      'if (false && body.expected_payment &&',
      'nobody pays another amount than was shown',
    ],
    [
      "if (!['open', 'cancelled'].includes(checkout.state))",
      'if (false)',
      'an order that is done is not cancelled',
    ],
  ]),
  ...inFile('features/sales/server/checkouts.ts', byHelpers, [
    [
      'method && (await acting?.count(',
      'undefined && (await acting?.count(',
      'a charge counts when it is asked for',
    ],
    ['await assertMayContinue(app, checkout)', '', 'a checkout is continued as it is begun'],
    ['      stopCharge(tx, checkout)\n', '', 'a cancelled checkout gives back what was not charged'],
  ]),
  ...inFile('features/sales/server/checkout-money.ts', byHelpers, [
    ['spendingRest(found, checkout.counted ?? 0n)', 'found', 'a charge counts once'],
    ['await uncount(app, tx, checkout)', '', 'a charge that failed counts no more'],
    ['await queries.forgetCounted(tx, checkout.top_up_id)', '', 'a charge that failed is given back once'],
    ['        stopCharge(tx, row)\n', '', 'an expired checkout gives back what was not charged'],
  ]),
  ...inFile('features/sales/server/stop-charge.ts', byHelpers, [
    [
      "(await endCharge(app, user_id, id)) !== 'over'",
      "(await endCharge(app, user_id, id)) === 'unknown'",
      'a debit under way counts on',
    ],
  ]),
]
