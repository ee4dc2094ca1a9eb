import { alerts } from './alerts.ts'
import { inFile, type Mutant } from './mutant.ts'

const offers = ['features/hosts/server/transfers.test.ts']
const acceptances = ['features/licences/server/transfers.test.ts']

/** Mutants of alerts of servers, and of the transfer of servers to another account. */
export const transfers: readonly Mutant[] = [
  ...alerts,
  ...inFile('features/hosts/server/transfers.ts', offers, [
    ['assertRecent(app, actor)', '', 'a server is given away with a recent proof'],
    [
      'if (!row?.is_open) throw notFound()',
      'if (!row) throw notFound()',
      'an offer that is over is not withdrawn',
    ],
    [
      "if (row?.state === 'offered' && !row.is_open)",
      'if (row)',
      'an offer ends once, and not before its time',
    ],
  ]),
  ...inFile('features/hosts/server/staff-transfer.ts', offers, [
    [
      'if (who.actor && receiver) await assertOther(tx, who.actor, receiver.user_id)',
      '',
      'no member of staff offers the server of a customer to their own account',
    ],
    ['await mailOfferedByStaff(app, tx, row, host)', '', 'the owner hears of what staff offer for them'],
  ]),
  ...inFile('features/hosts/server/transfer-answers.ts', offers, [
    [
      'if (!(await isOfferedTo(tx, user_id, row.email))) throw notFound()',
      '',
      'a server goes to who has proven the address',
    ],
    [
      'if (!host || !row.is_open || host.user_id !== row.user_id) throw over()',
      'if (!host) throw over()',
      'an offer is accepted once and in time',
    ],
    [
      "owner?.access !== 'open' || host.suspended",
      "owner?.access !== 'open'",
      'a suspension is not left behind',
    ],
  ]),
  ...inFile('features/licences/server/queries.ts', acceptances, [
    [
      'case when ${isOwn} then o.total end as total',
      'o.total',
      'what an owner of before has paid is theirs to know',
    ],
  ]),
  ...inFile('features/licences/server/licences.ts', acceptances, [
    [
      'await forgetChoices(tx, host_id)\n  await forgetAnnouncements',
      'await forgetAnnouncements',
      'the choices of plan and add-ons end with their owner',
    ],
  ]),
  ...inFile('features/hosts/server/transfer-queries.ts', acceptances, [
    [
      "await tx.deleteFrom('host_agents').where('host_id', '=', id).execute()",
      '',
      'the agent of the owner of before is let in no more',
    ],
  ]),
  ...inFile('features/support/tickets/server/serialize.ts', acceptances, [
    [
      'return host?.user_id === user_id ? host.name : null',
      'return host?.name ?? null',
      'an owner of before does not read the name of now',
    ],
  ]),
]
