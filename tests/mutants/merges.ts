import { inFile, type Mutant } from './mutant.ts'

const flow = ['features/customers/server/factor-resets.test.ts']
const late = ['features/sales/server/merged-money.test.ts']
const money = ['features/sales/server/transfer-races.test.ts']

/** Mutants of the merge of two accounts of one person. */
export const merges: readonly Mutant[] = [
  ...inFile('features/customers/server/merge.ts', flow, [
    ['links: [], always: true }', 'links: [] }', 'nobody merges accounts alone'],
    [
      'if (people.approved_by !== undefined && (await mayBeOne(app, tx, people.approved_by, into_id)))',
      'if (people.approved_by === undefined)',
      'nobody confirms a merge into their own account',
    ],
  ]),
  ...inFile('features/customers/server/assert-mergeable.ts', flow, [
    [
      "if (from === into) throw new HttpError(409, [{ code: 'merge_same' }])",
      '',
      'an account is not merged into itself',
    ],
    [
      "if (from.access !== 'open' || into.access !== 'open')",
      "if (from.access !== 'open')",
      'a block is not left behind',
    ],
    [
      "if (from.access !== 'open' || into.access !== 'open')",
      "if (into.access !== 'open')",
      'nor taken along',
    ],
    [
      '(await openReset(tx, from.id)) ?? (await openReset(tx, into.id))',
      'await openReset(tx, from.id)',
      'one act on an account at a time',
    ],
    ['  await movable(app, tx, from.id)\n', '', 'money that is open stays with its account'],
    [
      'if (await isProposedFor(tx, contract.erasePermission.name, ids))',
      'if (ids.length === 0)',
      'what is to be deleted takes nothing in',
    ],
  ]),
  ...inFile('features/customers/server/assert-mergeable.ts', money, [
    [
      'mergesInto(tx, from.id)).length > 0',
      'mergesInto(tx, from.id)).length < 0',
      'a merge is undone to where it came from',
    ],
    ['if (await hasWaitingWithdrawal(tx, from.id))', 'if (!from.id)', 'a refund finds its account'],
  ]),
  ...inFile(
    'features/customers/server/assert-mergeable.ts',
    ['features/customers/server/merge.test.ts'],
    [
      [
        'some(({ is_open }) => is_open)',
        'some(() => false)',
        'what came by a merge is not deleted while it can go back',
      ],
    ],
  ),
  ...inFile('features/finance/server/move-queries.ts', flow, [
    [
      "status in ('pending', 'charged_back')",
      "status = 'charged_back'",
      'money on its way finds its account',
    ],
    ['done_at is null)', 'done_at is not null)', 'what is not booked is settled first'],
  ]),
  ...inFile('features/finance/server/move-balance.ts', money, [
    ['held.balance - held.gift < money', 'held.balance < 0n', 'what was spent does not come back'],
    [
      "user_id: from, provider: 'bank', description, amount: money, pieces }",
      "user_id: from, provider: 'test', description, amount: money, pieces }",
      'nothing is left between',
    ],
  ]),
  ...inFile('features/finance/server/move-balance.ts', late, [
    ['...(await takeLate(tx, between.from))', '', 'what came later goes back, too'],
    ['if (money < 0n) await bookDebt', 'if (money < -9999999n) await bookDebt', 'a debt moves on'],
  ]),
  ...inFile('features/licences/server/debts.ts', late, [
    ['if (await isMerged(tx, user_id)) return', '', 'a debt begins at the account that stays'],
  ]),
  ...inFile('features/customers/server/unmerge.ts', late, [
    ['await letReadNoMore(tx, from)', '', 'a debt that comes back begins at its account'],
  ]),
  ...inFile('features/hosts/server/merge-hosts.ts', money, [
    [
      'if (hosts.some(({ suspended }) => suspended))',
      'if (hosts.length < 0)',
      'a suspension is not left behind',
    ],
  ]),
  ...inFile('features/customers/server/unmerge.ts', money, [
    ['host.user_id === into && !host.suspended', '!host.suspended', 'what was given away is not taken back'],
    ['if (!merge.is_open)', 'if (!merge)', 'a merge is undone for some days only'],
  ]),
  ...inFile('features/invoices/server/reader-queries.ts', money, [
    [
      'r.user_id = i.user_id and r.reader_id = ${reader_id}))`',
      'r.user_id = i.user_id))`',
      'invoices are read by who merged the account',
    ],
  ]),
  ...inFile('features/customers/server/merge-now.ts', flow, [
    ['    await endSessionsOf(tx, from)\n', '', 'a merged account is signed out'],
  ]),
  ...inFile('features/customers/server/blocks.ts', flow, [
    [
      "  if (await mergeOf(tx, user_id)) throw new HttpError(409, [{ code: 'account_merged' }])\n",
      '',
      'a merged account is opened by undoing its merge only',
    ],
  ]),
  ...inFile('features/customers/server/factor-resets.ts', flow, [
    ['keepsMerge: detail.by_use === true', 'keepsMerge: false', 'using the account does not stop its merge'],
  ]),
]
