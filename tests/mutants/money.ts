import { inFile, type Mutant } from './mutant.ts'
import { autoTopUps } from './auto-top-ups.ts'
import { savedMethods } from './methods.ts'
import { model } from './model.ts'
import { payouts } from './payouts.ts'

/** Mutants of money that comes, goes and is taken back. */
export const money: readonly Mutant[] = [
  ...payouts,
  ...autoTopUps,
  ...savedMethods,
  ...model,
  ...inFile(
    'database/migrations/0186_late_balances.sql',
    ['features/finance/server/ledger.test.ts'],
    [
      [
        "gift_side <> (case when rule.counterpart = 'revenue' then -gift_moved else 0 end)",
        'gift_side <> 0 and gift_side <> -gift_moved',
        'a gift is not spent as money',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/settle.ts',
    ['features/finance/server/providers/stripe.test.ts'],
    [
      [
        "openAllocations(tx, topUp.id, 'charge_back', taken_by)",
        "openAllocations(tx, topUp.id, 'charge_back')",
        'a won dispute returns what it took, not what a refund took',
      ],
      ['if (!taken) return\n', '', 'a return that comes first waits for what took the money'],
      [
        'if (reversal.excess > 0n)',
        'if (reversal.excess < 0n)',
        'what is taken beyond what is left is on the list of staff',
      ],
      [
        'isOther(topUp.payment_reference, event.payment_reference)',
        'false',
        'a second payment of a top-up is on the list of staff',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/stripe-events.ts',
    ['features/finance/server/providers/stripe.test.ts'],
    [
      ["event.data.object.status === 'won'", 'true', 'a lost dispute returns nothing'],
      ["status === 'failed' || status === 'canceled'", 'true', 'a refund that succeeded returns nothing'],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/mollie-payment.ts',
    ['features/finance/server/providers/mollie.test.ts'],
    [
      ['payment.id !== asked', 'false', 'an answer about another payment books nothing'],
      [
        'amount === undefined || amount === 0n',
        'amount === undefined',
        'an event over 0 is not the whole payment',
      ],
      ['sum && list.length === 0', 'sum && false', 'refunds that are not listed are seen by staff'],
      ['hasFailed && paidAt', 'hasFailed && false', 'a direct debit that fails late takes back what it gave'],
      [
        "status === 'processing') return",
        "status !== 'failed') return",
        'a refund that can be cancelled takes nothing yet',
      ],
      ['if (!one.reversedAt)', 'if (one.reversedAt)', 'a chargeback that stands returns nothing'],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/mollie-calls.ts',
    ['features/finance/server/providers/mollie.test.ts'],
    [['isOurs ?', 'true ?', 'a call that nobody at Mollie made costs no request']],
  ),
  ...inFile(
    'features/finance/server/providers/mollie-methods.ts',
    ['features/methods/server/methods-by-mollie.test.ts'],
    [
      ["payment?.status !== 'paid'", 'payment === undefined', 'a first payment that failed saves nothing'],
      ["kept.status === 'invalid'", 'false', 'a mandate that is not valid is no method'],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/mollie-charges.ts',
    ['features/methods/server/methods-by-mollie.test.ts'],
    [
      [
        'created_at.getTime() > KEY_IS_SURE_ms',
        'created_at.getTime() > Infinity',
        'a charge is made once after the key is forgotten',
      ],
      [
        "['mandateId', 'customerId'].includes(error.field)",
        'false',
        'a mandate that is gone stops its method',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/mollie.ts',
    ['features/finance/server/providers/mollie.test.ts'],
    [['error.status === 404', 'error.status === 503', 'an answer that did not come is asked for again']],
  ),
  ...inFile(
    'features/finance/server/payment-events.ts',
    ['features/finance/server/providers/stripe.test.ts'],
    [
      [
        "if (event.kind === 'failed') await",
        "if (event.kind !== 'failed') await",
        'what belongs to no top-up is seen by staff',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/settle.ts',
    ['features/finance/server/payment-events.test.ts', 'features/finance/server/providers/stripe.test.ts'],
    [
      [
        'if (await queries.isPaid(tx, topUp.id))\n    return isOther',
        'if (false)\n    return isOther',
        'a payment that is told twice is booked once',
      ],
      [
        'const part = piece.left < rest ? piece.left : rest',
        'const part = rest',
        'a chargeback takes no more than was paid',
      ],
      [
        '(event.currency !== null && event.currency !== currency) || currency !== app.config.currency',
        'currency !== app.config.currency',
        'money of another currency is not booked at its number',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/forfeit.ts',
    ['features/finance/server/forfeit.test.ts'],
    [
      [
        'if (forfeit?.amount !== balance.amount || forfeit.currency !== currency)',
        'if (!forfeit)',
        'nobody gives up more than they were shown',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/forfeit.ts',
    ['features/customers/server/export-erase.test.ts', 'features/finance/server/forfeit.test.ts'],
    [
      [
        'if (amount <= 0n) return',
        'if (amount >= 0n) return',
        'an account ends with money on the list of staff',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/corrections.ts',
    ['features/finance/server/staff.test.ts', 'features/finance/server/forfeit.test.ts'],
    [
      [
        "booked.left === 0n || !(booked.is_pay_out || booked.event_id?.startsWith('staff:'))",
        'false',
        'what a provider booked is not undone by hand',
      ],
      ['if (left < amount)', 'if (false)', 'a mistake is undone once'],
      ["rest.length > 0 ? 'paid' : 'corrected'", "'paid'", 'a corrected top-up is not a paid one'],
    ],
  ),
  ...inFile(
    'features/finance/rules.ts',
    ['features/finance/server/payable.test.ts'],
    [
      ['balance - gift', 'balance', 'a payout leaves no debt, and takes no gift'],
      ['money < open ? money : open', 'open', 'a payout takes no more than what is left of the balance'],
      ['(money < open', '(money > open', 'no more leaves than was paid in and not given back'],
      ['most > 0n ? most : 0n', 'most', 'a debt is nothing that could leave'],
    ],
  ),
  ...inFile(
    'features/finance/rules.ts',
    ['features/payouts/server/held.test.ts'],
    [[') - held', ')', 'what a bank took after it was paid out does not leave a second time']],
  ),
  ...inFile(
    'features/finance/server/unbooked-queries.ts',
    ['features/payouts/server/held.test.ts'],
    [
      ['and u.done_at is null and u.kind', 'and u.kind', 'what is settled holds nothing'],
      ["and u.kind = 'charged_back' ", '', 'money that came holds nothing'],
    ],
  ),
  ...inFile(
    'features/finance/server/unbooked-queries.ts',
    ['features/payouts/server/refund-top-up.test.ts'],
    [
      ['and u.done_by is null', '', 'a return is seen where a person has settled its dispute'],
      ['and p.taken_by = ${taken_by}', '', 'a dispute that is won ends what is held for itself alone'],
    ],
  ),
  ...inFile(
    'features/finance/server/money-out.ts',
    ['features/finance/server/forfeit.test.ts'],
    [['if (amount > payable)', 'if (false)', 'a payout is refused above what is payable']],
  ),
  ...inFile(
    'features/finance/server/allocation-queries.ts',
    ['features/finance/server/payment-events.test.ts'],
    [["('merge', 'pay_out', 'payout')", "('merge')", 'a bank reinstates nothing that was paid out']],
  ),
  ...inFile(
    'features/finance/server/pay-out.ts',
    ['features/finance/server/forfeit.test.ts'],
    [['if (-balance < amount)', 'if (false)', 'no more than a debt is written off']],
  ),
  ...inFile(
    'features/finance/server/settle.ts',
    ['features/finance/server/forfeit.test.ts'],
    [
      [
        'if (!owner?.is_active)',
        'if (owner?.is_active)',
        'money that comes to an account that is gone is seen',
      ],
    ],
  ),
  ...inFile(
    'features/customers/server/erase.ts',
    ['features/customers/server/export-erase.test.ts'],
    [
      [
        'if (left > 0n && !isGivenUp)',
        'if (left > 0n && !forfeit)',
        'an account goes with no other sum than the typed one',
      ],
      ['if (left < 0n)', 'if (false)', 'a debt does not go with its account'],
    ],
  ),
  ...inFile(
    'features/sales/server/refund.ts',
    ['features/finance/server/staff.test.ts'],
    [['amount > left ||', '', 'nobody is asked to approve a refund that is impossible']],
  ),
  ...inFile(
    'features/sales/server/book-refund.ts',
    ['features/finance/server/staff.test.ts'],
    [['amount > left ||', '', 'no more is refunded than is left']],
  ),
  ...inFile(
    'features/finance/server/finance.ts',
    ['features/sales/server/books.test.ts'],
    [['gift < amount ? gift : amount', '0n', 'gifts are spent first']],
  ),
  ...inFile(
    'features/finance/gifts.ts',
    ['features/finance/gifts.test.ts'],
    [
      ['/ total - gift_back', '/ total', 'a gift comes back in the share in which it was spent'],
      ['max(0n, amount - (total', '0n * (amount - (total', 'no more money comes back than was spent'],
    ],
  ),
  ...inFile(
    'features/finance/server/forfeit.ts',
    ['features/finance/server/forfeit.test.ts'],
    [['balance - gift\n', 'balance\n', 'a gift is nothing that is paid back to an account that ends']],
  ),
  ...inFile(
    'features/invoices/server/issue.ts',
    ['features/sales/server/books.test.ts'],
    [
      [
        'loweredBy(price, wanted.gift, vat.rate_bp)',
        'loweredBy(price, 0n, vat.rate_bp)',
        'a gift lowers the invoice',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/sale.ts',
    ['features/sales/server/books.test.ts'],
    [['loweredBy(sum, gift, vat.rate_bp).money.vat', 'sum.vat', 'no VAT is owed on a gift']],
  ),
  ...inFile(
    'features/invoices/server/reissue-plan.ts',
    ['features/invoices/server/reissue.test.ts'],
    [
      [
        'left.gift.total < price.total ? left.gift.total : price.total',
        '0n',
        'a reissue keeps the gift of the sale',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/purchase.ts',
    ['features/sales/server/withdrawal.test.ts'],
    [
      [
        'automatic || payer || total === 0n ? undefined',
        'automatic || total === 0n ? undefined',
        'an order at the cost of another account is no contract of a consumer',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/withdrawal.ts',
    ['features/sales/server/withdrawal.test.ts'],
    [['unused < left ? unused : left', 'unused', 'a withdrawal proposes no more than is left of the order']],
  ),
  ...inFile(
    'features/finance/server/providers/stripe-events.ts',
    ['features/finance/server/providers/stripe.test.ts'],
    [
      [
        "(event.kind === 'failed' || (event.amount !== null && event.currency !== null))",
        'true',
        'an event without its amount is not the whole payment',
      ],
      ['z.positive()', 'z.minimum(-999n)', 'an event over less than nothing moves nothing'],
      ['read === undefined || isSound(read) ? read', 'true ? read', 'an odd event is set aside'],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/stripe-subscription.ts',
    ['tests/system/doctor.test.ts'],
    [
      ['endpoint.url === url', 'endpoint.url !== ""', 'events that go elsewhere do not come here'],
      ["status === 'enabled'", "status !== ''", 'an endpoint that is switched off sends nothing'],
    ],
  ),
]
