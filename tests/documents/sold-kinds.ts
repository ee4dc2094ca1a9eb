import type { Sample } from '#tests/harness/billing-documents.ts'

/** The kinds of lines that orders, renewals and upgrades write, for the validators alone: `npm test` has one of extras and one of a program. */
export const soldKinds: Record<string, Sample> = {
  'a fee, an add-on by quantity and something that is paid once': {
    lines: [
      [1n, 1_990n],
      [1n, 2_500n, 'fee'],
      [7n, 333n, 'addon'],
      [2n, 4_999n, 'once'],
    ],
    locale: 'de',
  },
  'the rest of a term with its add-ons': {
    lines: [
      [1n, 3_217n, 'rest'],
      [1n, 811n, 'addon_rest'],
    ],
  },
  'a program for a stranger outside of the EU': {
    vat_kind: 'outside_eu',
    rate_bp: 0n,
    lines: [[1n, 1_000n, 'program']],
    to: { name: '', street: '', apartment: '', zip: '', city: '', state: '', country: 'US', vat_id: '' },
  },
  'several servers that share the amount of a promo code, with extras': {
    off: 334n,
    lines: [
      [1n, 1_990n],
      [2n, 333n, 'addon'],
      [1n, 4_000n],
      [1n, 19_900n],
      [1n, 4_999n, 'once'],
    ],
  },
  'a plan that a promo code has made free, with extras': {
    off: 1_000_000n,
    lines: [
      [1n, 1_990n],
      [1n, 2_500n, 'fee'],
      [2n, 333n, 'addon'],
    ],
  },
  'a credit note over extras': {
    kind: 'credit_note',
    cancels: true,
    off: 398n,
    lines: [
      [1n, 1_990n],
      [1n, 2_500n, 'fee'],
      [3n, 333n, 'addon'],
      [1n, 4_999n, 'once'],
    ],
  },
}
