import { inFile, type Mutant } from './mutant.ts'

const prices = ['features/sales/server/bulk-preview.test.ts']
const vatTests = ['features/invoices/server/vat.test.ts', 'features/invoices/server/invoices.test.ts']

/** The gates by which the documents follow the standing of who sells (rule 62). */
export const seller: readonly Mutant[] = [
  ...inFile('features/invoices/server/vat.ts', vatTests, [
    [
      'if (country === home && company.isSmallBusiness) return exempt()',
      '',
      'a small business charges no VAT',
    ],
    [
      'if (overseas && company.isSmallBusiness) return exempt()',
      '',
      'a small business in France charges none in its departments overseas',
    ],
    [
      'country !== home && company.taxesConsumersAtHome',
      'false',
      'below the threshold the VAT is that of home',
    ],
  ]),
  ...inFile('features/invoices/server/by-threshold.ts', vatTests, [
    ['dayIn(sold_at, timeZone)),', "'2020-06-01'),", 'the standing is that of the day of the sale'],
    ['if (left < 0n) return there', '', 'above the threshold the VAT is that of the country'],
  ]),
  ...inFile('features/invoices/server/vat-decision.ts', vatTests, [
    ['above && net > above.left', 'false', 'the sale that passes the threshold is taxed there'],
  ]),
  ...inFile('features/invoices/server/company.ts', vatTests, [
    [
      'values.SMALL_BUSINESS && !knowsSmallBusiness(country)',
      'false',
      'no seller starts with a standing that no law knows',
    ],
    [
      '!values.COMPANY_VAT_ID && euCountries.includes(values.COMPANY_COUNTRY)',
      'false',
      'the start says what a seller without a VAT id cannot do',
    ],
  ]),
  ...inFile(
    'features/invoices/server/keeping.ts',
    ['features/invoices/server/invoices.test.ts'],
    [
      ["vat_kind === 'oss' ? OF_ONE_STOP_SHOP : 0", '0', 'the one-stop shop wants ten years'],
      ['invoiceYears[country] ?? OTHERWISE', 'OTHERWISE', 'the years are those of the seller’s law'],
    ],
  ),
  ...inFile(
    'features/invoices/server/document-queries.ts',
    ['features/operations/server/operations.test.ts'],
    [['and not is_on_hold(i.issued_at, i.issued_at) order', 'order', 'what an audit holds is not erased']],
  ),
  ...inFile(
    'features/support/tickets/server/erase-queries.ts',
    ['features/operations/server/operations.test.ts'],
    [
      [
        'where user_id = ${user_id} and not is_on_hold(created_at, last_message_at)',
        'where user_id = ${user_id}',
        'an account that is deleted takes no ticket from an audit',
      ],
      [
        'and not is_on_hold(tickets.created_at, tickets.last_message_at)',
        '',
        'a ticket goes when no hold keeps it any more',
      ],
    ],
  ),
  ...inFile(
    'features/support/files/server/file-queries.ts',
    ['features/operations/server/operations.test.ts'],
    [
      [
        '(ticket_id is null or not is_on_hold(created_at, created_at))',
        'true',
        'an account that is deleted takes no file from an audit',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/nameless.ts',
    ['features/sales/server/buyer-address.test.ts'],
    [
      ['limits[country] ?? (', '(', 'the limit is that of the law of the seller'],
      ['code === currency) ??', 'true) ??', 'an amount of another currency is no limit'],
    ],
  ),
  ...inFile('features/invoices/server/threshold.ts', vatTests, [
    ['has_passed || before', 'before', 'a refund brings nobody back below the threshold'],
    ['|| before > threshold', '', 'the year before counts'],
  ]),
  ...inFile('features/invoices/server/issue.ts', vatTests, [
    ['if (left < 0n) throw', 'if (false) throw', 'two sales at once pass the threshold once'],
  ]),
  ...inFile('features/invoices/server/seller-limits.ts', vatTests, [
    ['5n * sum >= 4n * limit', 'sum >= limit', 'staff hear of a limit at 80 %'],
  ]),
  ...inFile('features/invoices/server/small-business.ts', vatTests, [
    ['from <= day &&', '', 'nobody is a small business before the day that they named'],
    ['(until === undefined || day <= until)', 'true', 'the standing ends with its last day'],
  ]),
  ...inFile('features/invoices/server/small-business.ts', prices, [
    ["if (kind !== 'small_business') return undefined", '', 'only a small business says that it has no VAT'],
  ]),
  ...inFile('features/invoices/server/vat-status.ts', prices, [
    [
      "&& (await vatFor(app, db, user_id)).kind !== 'small_business'",
      '',
      'nobody is told of VAT that is not charged',
    ],
  ]),
  ...inFile(
    'features/invoices/server/state-currency.ts',
    ['features/invoices/server/numbers.test.ts'],
    [
      ['if (!rate) {', 'if (false) {', 'without a rate nothing is issued'],
      [
        'if (vat === 0n || to === undefined)',
        'if (to === undefined)',
        'without VAT there is nothing to state',
      ],
      ['known ? rateIn(known) : await', 'await', 'a correction has the rate of its invoice'],
    ],
  ),
  ...inFile(
    'features/invoices/server/rate-queries.ts',
    ['features/invoices/server/numbers.test.ts'],
    [
      ['day <= ${day}::date and', '', 'a rate of tomorrow is not known'],
      ['and day >= ${day}::date - ${days}::integer', '', 'an old rate is none'],
    ],
  ),
  ...inFile(
    'features/operations/company-contract.ts',
    ['features/operations/server/company.test.ts'],
    [
      [
        "permission('company.read', [], {",
        "permission('company.read', ['admin'], {",
        'only owners see the seller',
      ],
      [
        "permission('company.change', [], {",
        "permission('company.change', ['admin'], {",
        'only owners change the seller',
      ],
      ["{ proof: 'recent', ownerOnly: true }", '{ ownerOnly: true }', 'the seller is changed with a proof'],
    ],
  ),
  ...inFile(
    'features/operations/server/company.ts',
    ['features/operations/server/company.test.ts'],
    [
      ['if (!isIban(iban))', 'if (false)', 'no account whose check digits do not fit is shown to customers'],
      ['if (read?.name !== holder)', 'if (!read)', 'banking apps get the holder as it was typed'],
      ['if (lacking !== undefined)', 'if (false)', 'an invoice says where the seller is'],
      [
        "if (company.vat_id === '' && company.tax_number === '')",
        'if (false)',
        'an invoice shows a tax number',
      ],
    ],
  ),
  ...inFile(
    'features/operations/server/keep-section.ts',
    ['features/operations/server/company.test.ts'],
    [
      ['if ((own?.version ?? 1) !== version) return false', '', 'a stale version changes nothing'],
      [
        'if (!(await insertVersion(tx, row))) return false',
        'await insertVersion(tx, row)',
        'of two at once one is kept',
      ],
      [
        'if (company.isIncomplete && !config.company.isIncomplete)',
        'if (false)',
        'a whole seller is not given up',
      ],
      [
        '    assertPossible(app, allOf([...others, { settings }]))\n',
        '',
        'no seller is kept that no invoice can be of',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/billing-address.ts',
    ['features/operations/server/company.test.ts', 'features/sales/server/buyer-address.test.ts'],
    [['if (config.company.isIncomplete) throw', 'if (false) throw', 'no invoice is of nobody']],
  ),
  ...inFile(
    'app/server/no-seller.ts',
    ['features/sales/server/buyer-address.test.ts'],
    [['config.company.isIncomplete && (await hasSold(db))', 'false', 'renewals have a seller']],
  ),
  ...inFile(
    'foundation/server/kept-settings/kept-settings.ts',
    ['features/operations/server/company.test.ts'],
    [
      [
        'if (isUnavailable(error)) known = -1',
        'if (isUnavailable(error)) known += 0',
        'what is kept is read later',
      ],
    ],
  ),
  ...inFile(
    'features/operations/server/mail-texts.ts',
    ['features/operations/server/company.test.ts'],
    [
      ["if (/[{}]/.test(left)) throw badRequest('unknown_placeholder', name)", '', 'no mail shows braces'],
      [
        "if (words !== '' && !required.every(",
        'if (required.length < 0 && !required.every(',
        'a mail says what it is about',
      ],
      ["if (part === 'subject' && /\\p{Cc}/u.test(words))", 'if (false)', 'no subject has a line break'],
      [
        "kind.class === 'security' ? [] : (mail.closing ?? [])",
        'mail.closing ?? []',
        'what to do stays ours',
      ],
      [
        "part === 'body' || kind.class === 'security' ?",
        "part === 'body' ?",
        'a subject of security is whole',
      ],
    ],
  ),
  ...inFile(
    'features/operations/server/mail-words.ts',
    ['features/operations/server/company.test.ts'],
    [['if (!hasKnownPlaceholders(closing))', 'if (false)', 'no mail shows braces to a customer']],
  ),
  ...inFile(
    'features/operations/server/logo.ts',
    ['features/operations/server/company.test.ts'],
    [
      [
        'if (png !== null && !isPng(',
        'if (png === null && !isPng(',
        'nothing but a PNG is sent to customers',
      ],
    ],
  ),
]
