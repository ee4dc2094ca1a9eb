import { inFile, type Mutant } from './mutant.ts'

const methods = ['features/methods/server/methods.test.ts']
const savedAgain = ['features/methods/server/saved-again.test.ts']
const stripe = ['features/methods/server/by-stripe.test.ts']
const checkouts = ['features/sales/server/checkout-methods.test.ts']

/** Mutants of payment methods that are saved, and charged without their holder. */
export const savedMethods: readonly Mutant[] = [
  ...inFile('features/methods/server/charge.ts', methods, [
    [
      "state === 'active' && !isExpired",
      "state !== 'pending' && !isExpired",
      'a method out of use is not charged',
    ],
  ]),
  ...inFile('features/methods/server/changes.ts', methods, [
    ['if (stopsMethod) await stopMethod', 'await stopMethod', 'a refund leaves a method in use'],
  ]),
  ...inFile('features/methods/server/keep-details.ts', methods, [
    [
      "if (before.state === 'removed') {",
      'if (false) {',
      'a method that is saved after its removal is forgotten',
    ],
  ]),
  ...inFile('features/methods/server/keep-details.ts', savedAgain, [
    ["  fingerprint !== '' &&\n", '', 'two cards that have no fingerprint are two'],
    [
      "if (named.every(({ state }) => state === 'removed')) await",
      'await',
      'an event that comes again forgets no card that is charged',
    ],
    ['  other.kind === kind &&\n', '', 'a card is no bank account'],
    [
      "kept.state === 'active' && kept.expires === saved.expires",
      'true as boolean',
      'a renewed card is charged',
    ],
  ]),
  ...inFile('features/methods/server/references.ts', methods, [
    [
      '`payment method ${public_id}`',
      "'payment method'",
      'the ids of a provider open in their own row alone',
    ],
  ]),
  ...inFile('features/finance/server/providers/stripe-charge.ts', stripe, [
    [
      'if (charge_reference !== null) return client.paymentIntents.retrieve(charge_reference)',
      '',
      'a charge that stands is asked for and not made again',
    ],
  ]),
  ...inFile('features/finance/server/providers/stripe-events.ts', stripe, [
    [
      "if (error?.code === 'authentication_required') return undefined",
      '',
      'a charge that waits for its holder has not failed',
    ],
    [
      "if (metadata['method'] === undefined) return undefined",
      '',
      'a card that is declined on a page of Checkout does not end the payment',
    ],
  ]),
  ...inFile('features/sales/server/checkout-payment.ts', checkouts, [
    [
      "purpose === 'top_up' || !(await findUser(db, acting.person_id))",
      'false',
      'no program charges a saved method, and no helper fills a balance by it',
    ],
  ]),
]
