import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/invoices/server/place.test.ts']

/** The place of a buyer: what decides over a lower VAT (decision 147). */
export const place: readonly Mutant[] = [
  ...inFile('features/invoices/server/place.ts', tests, [
    [
      "if (basis === 'address') return isLower",
      "if (basis === 'address') return !isLower",
      'an address alone lowers no VAT',
    ],
    [
      '? [home, ...paying, ...others] : paying',
      '? [...paying, ...others] : paying',
      'the rate at home is the least',
    ],
    [
      '? [home, ...paying, ...others] : paying',
      '? [home, ...others] : paying',
      'the rate where a card is from counts',
    ],
    [
      '? [home, ...paying, ...others] : paying',
      '? [home, ...paying] : paying',
      'the rate of the network counts',
    ],
    [
      '? [home, ...paying, ...others] : paying',
      '? [home, ...paying, ...others] : []',
      'a card raises the rate',
    ],
    ["basis === 'network' && isLower &&", 'isLower &&', 'a payment is the stronger fact'],
    [
      "basis === 'network' && isLower &&",
      "basis === 'network' &&",
      'a network of the address is enough at home',
    ],
    ['vat.rate_bp > claimed.rate_bp)\n', 'true)\n', 'a card of another country without VAT harms nobody'],
    ['return isOutweighed ? [home, ...paying] : []', 'return []', 'a network does not outweigh a payment'],
    ["if (kind === 'reverse_charge') return 'vat_id'", '', 'a VAT id proves the place'],
    ["decision?.treatment === 'resident'", 'decision !== null', 'staff may disbelieve'],
    ['payments.length > 0 && areAll', 'payments.length > 0', 'each payment of 90 days counts'],
    ['payments.length > 0 && areAll', 'areAll', 'no payment is no fact'],
    [
      "if (other.code === place.code) return 'agrees'",
      "if (other.country === place.country) return 'agrees'",
      'a territory is more than its country',
    ],
  ]),
  ...inFile('features/invoices/server/vat.ts', tests, [
    ['override.place !== place', 'false', 'one address was believed, and no other'],
    [
      'if (!override || hasEnded(override, at) || override.place',
      'if (!override || override.place',
      'a decision ends',
    ],
  ]),
  ...inFile('features/invoices/server/vat-of-customer.ts', tests, [
    ['(records?.network ?? null)', 'null', 'renewals go on when nobody is signed in'],
  ]),
  ...inFile('features/invoices/server/vat-of-customer.ts', tests, [
    ['network: network ?? now.network', 'network: now.network', 'a reissue takes the facts of its sale'],
    ['override: now.override', 'override: null', 'a reissue takes what staff decided'],
  ]),
  ...inFile('features/invoices/server/place-questions.ts', tests, [
    ["if (place?.basis !== 'doubted') throw", 'if (false) throw', 'nobody answers what nobody asked'],
    [
      "if (place?.basis !== 'doubted') await queries.closeQuestion",
      'if (false) await queries.closeQuestion',
      'a settled question is closed',
    ],
  ]),
  ...inFile('features/invoices/server/ask-at-sale.ts', tests, [
    ["if (place?.basis !== 'doubted') return", 'if (place) return', 'a sale in doubt asks'],
    ["if (place?.basis !== 'doubted') return", 'if (!place) return', 'a sale without doubt asks nothing'],
    ['if (isNew && at === undefined)', 'if (at === undefined)', 'a question is mailed once'],
  ]),
  ...inFile(
    'features/invoices/server/exported-queries.ts',
    ['features/books/server/exports.test.ts'],
    [
      [
        "coalesce(s.evidence -> 'place', f.evidence -> 'place')",
        "s.evidence -> 'place'",
        'a credit note has the evidence of its invoice',
      ],
    ],
  ),
  ...inFile(
    'features/books/server/exports/lists.ts',
    ['features/books/server/exports.test.ts'],
    [['    evidenceText(row),', "    '',", 'the list of invoices has the evidence of the place']],
  ),
  ...inFile('features/invoices/server/vat-override.ts', tests, [
    [
      "treatment !== 'automatic' && treatment !== 'elsewhere'",
      "treatment === 'business'",
      'two people believe an address',
    ],
    [
      "if (place !== '') await closeQuestion",
      'if (false) await closeQuestion',
      'a decision answers the question',
    ],
  ]),
  ...inFile('features/invoices/server/network-country.ts', tests, [
    [
      'if (!family || nobodys.check(ip, family)) return null',
      'if (!family) return null',
      'private networks have no country',
    ],
    ['.exec(given)?.[1] ?? given', '.exec(given)?.[0] ?? given', 'IPv4 in IPv6 is read'],
  ]),
  ...inFile(
    'features/finance/server/top-up-queries.ts',
    ['features/finance/server/top-ups.test.ts'],
    [["t.status = 'paid' and", '', 'a payment that was taken back speaks for nothing']],
  ),
  ...inFile(
    'features/finance/server/bank-money.ts',
    ['features/banking/server/banking.test.ts'],
    [['isIban(account) ?', 'account ?', 'a made-up IBAN has no country']],
  ),
]
