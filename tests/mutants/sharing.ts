import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/sharing/server/roles.test.ts', 'features/sharing/server/sharing.test.ts']

/** What helpers may do for the owner of an account. */
export const sharing: readonly Mutant[] = [
  ...inFile('foundation/capability.ts', tests, [
    [
      'needed.roles.includes(role)',
      'needed.name.length > role.length - 9',
      'a role has its capabilities alone',
    ],
    [
      "capability('money.see', ['billing', 'full'])",
      "capability('money.see', ['technical', 'billing', 'full'])",
      'technical helpers see no prices',
    ],
  ]),
  ...inFile('features/sharing/server/sharing.ts', tests, [
    [
      "if (!mayActAs(role, needed)) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])",
      '',
      'the role is asked before the call',
    ],
    ['if (!(await queries.holdGrant(tx, act))) throw notFound()', '', 'nothing commits after a revocation'],
  ]),
  ...inFile('features/sharing/server/queries.ts', tests, [
    [
      'where s.spent + excluded.spent <= coalesce(',
      'where s.spent <= coalesce(',
      'the limit of a month is exact',
    ],
  ]),
  ...inFile('features/sharing/server/given.ts', tests, [
    ["role !== 'technical' && !isRecent(app, actor)", 'false', 'who pays is let in with a recent proof'],
  ]),
  ...inFile('features/hosts/server/hosts.ts', tests, [
    ['if (acting && !acting.all_hosts) throw notAllowed()', '', 'helpers of some servers add none'],
    [
      'if (isOn && app.acting && app.acting.month_limit !== null) throw notAllowed()',
      '',
      'a limit is not evaded by renewals',
    ],
  ]),
]
