import { inFile, type Mutant } from './mutant.ts'

const S = 'features/sharing/server/'
const tests = [`${S}roles.test.ts`, `${S}sharing.test.ts`]
const passedOn = [`${S}passed-on.test.ts`]
const live = [`${S}live.test.ts`]
const tickets = ['features/support/server/helpers.test.ts']
const mails = ['features/support/messages/server/helper-mails.test.ts']

/** Mutants of the rights of helpers of an account. */
export const sharing: readonly Mutant[] = [
  ...inFile('foundation/capability.ts', tests, [
    [
      'needed.roles.includes(role)',
      'needed.name.length > role.length - 9',
      'a role has its capabilities alone',
    ],
    [
      "capability('money.see', ['billing', 'full', 'read'])",
      "capability('money.see', ['technical', 'billing', 'full', 'read'])",
      'technical helpers see no prices',
    ],
  ]),
  ...inFile(
    'foundation/server/http/policies.ts',
    ['foundation/server/http/serve.test.ts'],
    [
      [
        "acts.roles.includes('read') !== (method === 'GET' && acts.roles.includes('full'))",
        "method === 'GET' && acts.roles.includes('read') !== acts.roles.includes('full')",
        'the role read writes nothing',
      ],
    ],
  ),
  ...inFile('features/hosts/server/keys.ts', tests.slice(1), [
    ['hosts.length < host_ids.length || ', '', 'keys of many are renewed for own servers, or for none'],
    [
      'if (!allowed) return { licence_key: null, retry_after_s }',
      '',
      'a key is renewed five times a day, among many too',
    ],
  ]),
  ...inFile('features/sales/server/gate.ts', tests.slice(0, 1), [
    [
      'if (!payer && pay_now > 0n) await app.acting?.spend(tx, pay_now)',
      '',
      'whatever a helper buys counts in their month',
    ],
  ]),
  ...inFile('features/sharing/server/sharing.ts', tests, [
    ['open.filter(({ role }) => mayActAs(role, needed))', 'open', 'the role is asked before the call'],
    ['if (!person.holds_grants || (host_id', 'if (person.holds_grants || (host_id', 'a grant opens a server'],
    [
      'if (!(await wayQueries.holdWay(tx, { ...act, owner_id, grant_id, through }))) throw notFound()',
      '',
      'nothing commits after a revocation',
    ],
  ]),
  ...inFile('features/sharing/server/sharing.ts', passedOn, [
    [
      '...(through === null ? [] : [through])',
      '...[]',
      'what a helper of a helper spends counts by both grants',
    ],
  ]),
  ...inFile('features/sharing/server/sharing.ts', tickets, [
    [
      'thing ? ways.filter(({ role }) => thing.roles.includes(role)) : ways',
      'ways',
      'a ticket is for the roles of its topic',
    ],
  ]),
  ...inFile('features/sharing/server/queries.ts', tests, [
    ['where s.spent + excluded.spent <= coalesce(', 'where s.spent <= coalesce(', 'a limit is exact'],
  ]),
  ...inFile(
    'features/sharing/server/given.ts',
    [...tests, ...passedOn],
    [
      [
        "if (role !== 'technical' || may_pass_on) assertRecent",
        "if (role !== 'technical') assertRecent",
        'who lets others in has a recent proof',
      ],
      [
        "if (role !== 'technical' || may_pass_on) assertRecent",
        'if (may_pass_on) assertRecent',
        'who pays is let in with a recent proof',
      ],
    ],
  ),
  ...inFile('features/hosts/server/hosts.ts', tests, [
    ['if (acting && !acting.all_hosts) throw notAllowed()', '', 'helpers of some servers add none'],
    ['if (isOn && app.acting?.isLimited) throw notAllowed()', '', 'a limit is not evaded by renewals'],
  ]),
  ...inFile('foundation/server/realtime/stream.ts', live, [
    [' && !withheld', '', 'events of a grant that is over are not sent'],
  ]),
  ...inFile('features/support/tickets/server/publish.ts', live, [
    [
      'roles: rolesFor(topic)',
      "roles: ['technical', 'billing', 'full']",
      'events of a ticket go by its topic',
    ],
  ]),
  ...inFile('features/support/tickets/server/open-ticket.ts', tickets, [
    ['if (!topicsFor(acting.role).includes(topic)) throw notAllowed()', '', 'tickets are opened by topic'],
    ['if (await acting.opensTicket(tx, host_id)) return', 'return', 'tickets are opened by server'],
  ]),
  ...inFile('features/support/tickets/server/scope-queries.ts', tickets, [
    [
      "tickets.topic = any (string_to_array(s.topics, ','))",
      'true',
      'the list of a helper is of their topics',
    ],
    ['s.opened is null or ', 's.opened is not null or ', 'the list of a helper is of their servers'],
  ]),
  ...inFile(
    'features/support/tickets/server/attach.ts',
    ['features/support/files/server/helpers-quota.test.ts'],
    [
      [
        'if (by_helper) assertFits(app, await keptAndExtra(tx, customer_id))',
        '',
        'files of helpers count for the owner',
      ],
    ],
  ),
  ...inFile(
    'features/support/tickets/server/attach.ts',
    ['features/support/files/server/attach.test.ts'],
    [
      [
        'if (rows.length !== ids.length) throw',
        'if (rows.length === 0) throw',
        'a message has all its files',
      ],
    ],
  ),
  ...inFile('features/support/messages/server/mails.ts', mails, [
    [
      'const helpers = await helpersOfTicket(tx, authors, { owner_id, host_id, roles: rolesFor(topic) })',
      'const helpers = authors',
      'who lost the grant gets no mail',
    ],
  ]),
  ...inFile('features/support/messages/server/feature.ts', mails, [
    ['if (await haveAllRead(tx, ticket_id, seq))', '', 'the mail to one is not forgotten when another reads'],
  ]),
  ...inFile(
    'features/sharing/server/activity.ts',
    [`${S}activity.test.ts`],
    [
      ['...(isMoney ? actsOfMoney : [])', '...actsOfMoney', 'technical helpers read nothing of money'],
      [
        'if (!acting || acting.all_hosts) return shown',
        'return shown',
        'helpers of some servers read of those',
      ],
    ],
  ),
]
