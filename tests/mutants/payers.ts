import { locks } from './locks.ts'
import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/payers/server/payers.test.ts', 'features/payers/server/races.test.ts']

/** The mutants of the agreements by which one account pays for servers of another, and of the order of locks which these ask for. */
export const payers: readonly Mutant[] = [
  ...locks,
  ...inFile('features/payers/server/answers.ts', tests, [
    [
      'if (row.version !== body.version)',
      'if (row.version < body.version)',
      'a payer accepts what was shown',
    ],
    [
      "if (!row.all_hosts && paid < hosts.length) throw hostHasPayer('host_ids')",
      '',
      'an agreement pays for all its servers, or is refused',
    ],
    ['assertRecent(app, actor)', '', 'money is promised with a recent proof'],
  ]),
  ...inFile('features/profile/server/offers.ts', tests, [
    [
      'filter(({ verified }) => verified)',
      'filter(() => true)',
      'an address that is only claimed accepts nothing',
    ],
    ['own.email === email', 'false', 'nobody makes an offer to oneself'],
  ]),
  ...inFile('features/payers/server/changes.ts', tests, [
    [
      "if (side === 'owner' ? month_limit !== undefined : isAboutHosts)",
      'if (false)',
      'the payer alone sets the limit, the owner the servers',
    ],
    [
      "row.state === 'offered' || !row.all_hosts",
      "row.state === 'offered'",
      'added servers ask the payer again',
    ],
    [
      'auto_renew && stopped.includes(id)',
      'auto_renew && !stopped.includes(id)',
      'a server that is removed renews no more',
    ],
  ]),
  ...inFile('features/payers/server/endings.ts', tests, [
    [
      "side === 'owner' && query.renewals === 'own_balance'",
      "query.renewals === 'own_balance'",
      'a payer who ends charges nobody else',
    ],
  ]),
  ...inFile(
    'features/sales/server/gate.ts',
    ['features/sales/server/charges-of-payers.test.ts'],
    [
      [
        "if (!payer || (payer.pays === 'renewals' && !automatic)) return undefined",
        'if (!payer) return undefined',
        'an agreement about renewals pays no order',
      ],
      [
        'if (spent + amount > payer.month_limit)',
        'if (amount > payer.month_limit)',
        'the limit is of the month, not of an order',
      ],
      [
        "if (!account?.is_active || account.access !== 'open')",
        'if (!account)',
        'an account that is closed pays nothing',
      ],
    ],
  ),
  ...inFile(
    'features/licences/server/queries.ts',
    ['features/sales/server/charges-of-payers.test.ts'],
    [
      [
        'o.payer_id is null then o.invoice_id end as invoice_id',
        'true then o.invoice_id end as invoice_id',
        'an invoice of the payer is not shown to the owner',
      ],
    ],
  ),
]
