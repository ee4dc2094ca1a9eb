import { inFile, type Mutant } from './mutant.ts'

const camt = ['features/banking/server/camt.test.ts']
const files = ['features/banking/server/files.test.ts']
const csv = ['features/banking/server/csv.test.ts']
const amounts = ['features/banking/server/csv-amount.test.ts']
const booked = ['features/banking/server/banking.test.ts']

/** The files of banks: read with certainty or set aside, known again by all they say, and booked once. */
export const banking: readonly Mutant[] = [
  ...inFile(
    'features/customers/server/search.ts',
    ['features/customers/server/customers.test.ts'],
    [
      [
        'mayDo(readers, bankReadPermission) ? payersByIban',
        'readers.length > 0 ? payersByIban',
        'who may not read bank statements finds nobody by an IBAN',
      ],
    ],
  ),
  ...inFile(
    'features/banking/rules.ts',
    ['features/banking/rules.test.ts'],
    [
      ['if (one && one.amount !== amount)', 'if (false)', 'another amount is for a person to look at'],
      ['check === checkDigits(stem)', 'check !== checkDigits(stem)', 'a mistyped reference is never exact'],
    ],
  ),
  ...inFile('features/banking/server/book-exact.ts', booked, [
    ['if (!transfer || transfer.paid)', 'if (!transfer)', 'what was paid by hand is not booked again'],
  ]),
  ...inFile('features/banking/server/known-lines.ts', camt, [
    [
      'JSON.stringify([booked_on, String(amount), name,',
      'JSON.stringify([String(amount), name,',
      'a payment of another day is another payment',
    ],
    [
      'text, meaningfulReference(end_to_end)])',
      'meaningfulReference(end_to_end)])',
      'another text is another payment',
    ],
    ["bank_ref === '' || line.bank_ref === ''", 'true', 'two references are two payments'],
    ["(counts.get(key.toString('hex')) ?? 0) + 1", '1', 'two payments that look alike are two'],
  ]),
  ...inFile('features/banking/server/known-lines.ts', files, [
    ['!is_of_other_page', 'true', 'what stands on two pages is two'],
  ]),
  ...inFile('features/banking/server/camt-entry.ts', camt, [
    ["if (status !== 'BOOK')", 'if (false)', 'money that the bank has not booked is not booked'],
    [
      'if (left === undefined)',
      'if (false)',
      'money that may have gone out is not booked as money that came in',
    ],
    ['money.currency === own && left', 'left', 'other money is not booked at its number'],
    ['details.length === told ?', 'true ?', 'a batch is made of all its parts, or of none'],
  ]),
  ...inFile('features/banking/server/camt-batch.ts', camt, [
    ['=== total) return known', '!== null) return known', 'the parts of a batch are no more than the batch'],
    ['money?.currency === currency', 'money', 'parts in other money are no parts of the batch'],
  ]),
  ...inFile('features/banking/server/camt-statement.ts', camt, [
    ['if (iban !== own.iban)', 'if (false)', 'money of another account is not ours'],
    ["if (currency !== '' && currency !== own.currency)", 'if (false)', 'other money is not ours'],
    ['opening + sum === closing ?', 'true ?', 'a statement that does not add up is not taken'],
  ]),
  ...inFile('features/banking/server/same-payments.ts', booked, [
    [
      'if (isNew.has(whole)) found.set(whole, part)',
      'if (isNew.has(whole)) continue',
      'a batch is not booked beside its parts',
    ],
    [
      "else if (state !== 'open') found.set(part, whole)",
      'else if (false) continue',
      'parts are not booked beside their batch',
    ],
  ]),
  ...inFile('features/banking/server/csv-row.ts', csv, [
    [
      "if (state === 'pending') return 'pending'",
      "if (false) return 'pending'",
      'money that is not booked yet is not booked',
    ],
    ["if (state === 'unclear')", 'if (false)', 'a state that nobody knows is not booked'],
    ["return { odd: 'wrong_currency' }", "void 'wrong_currency'", 'other money is not booked at its number'],
    ["out.direction === 'in' ?", 'false ?', 'a plus in the column of what left is not certain'],
    ["into.direction === 'out' ?", 'false ?', 'a minus in the column of what came is not certain'],
    ['if (out && into)', 'if (false)', 'money does not go both ways'],
    [
      'direction === undefined || (amount.direction ?? direction) !== direction',
      'direction === undefined',
      'a sign against its word is not certain',
    ],
    ['if (cells.slice(names.length).some(', 'if ([].some(', 'a row with shifted columns is not certain'],
  ]),
  ...inFile('features/banking/server/csv-doubts.ts', csv, [
    [
      "if (directionIn(names[places.amount] ?? '') === 'out')",
      'if (false)',
      'a column of what left is no column of what came',
    ],
    [
      "if (isForDirection && values.some((value) => directionIn(value) === 'out'))",
      'if (false)',
      'money beside S did not come in',
    ],
    ['isOneWay && mayTellDirection(values)', 'false', 'a file in which nothing leaves is doubted'],
    ['if (values.some(mentionsOut)) return true', '', 'a word for what left is a doubt'],
    [
      "if (isCode && values.some((value) => directionIn(value) !== 'in')) return true",
      '',
      'letters that nobody knows are a doubt',
    ],
  ]),
  ...inFile('features/banking/server/csv-amount.ts', amounts, [
    ['(part.length === 3 && digits !== 3) ||', '', 'five thousand are not five'],
    ['directions.size > 1', 'false', 'an amount that went both ways is none'],
    [
      'other.part.length === digits && digits !== 3 ?',
      'true ?',
      'only a number that leaves nothing open is read in another form',
    ],
  ]),
  ...inFile('features/banking/server/csv.ts', csv, [
    [
      "throw new StatementError('day_unclear')",
      "void 'day_unclear'",
      'days that may be months are not certain',
    ],
  ]),
]
