import { assistants } from './assistants.ts'
import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/team/server/robots.test.ts']
const walk = ['tests/system/access.test.ts']

/** Mutants of robots, members of staff that are no person, and of assistants, which act by their tokens. */
export const robots: readonly Mutant[] = [
  ...assistants,
  ...inFile('foundation/roles.ts', tests, [
    ['Boolean(ownerOnly ?? peopleOnly)', 'Boolean(ownerOnly)', 'a robot never confirms'],
  ]),
  ...inFile('foundation/server/http/access.ts', tests, [
    [
      "actor?.is_robot && isForPeople(permission) ? 'session_required' : undefined",
      'undefined',
      'a robot never confirms, whatever its roles',
    ],
  ]),
  ...inFile('foundation/server/http/access.ts', walk, [
    ['  if (known.robot) return refusalOfRobot(route, known)\n', '', 'a robot is no customer'],
    [
      "access.who === 'customer' && style !== 'auth'",
      "access.who === 'customer'",
      'a robot has no account calls',
    ],
  ]),
  ...inFile('foundation/server/mail/outbox.ts', tests, [
    ["user?.is_active && user.kind === 'person'", 'user?.is_active', 'a robot reads no mails'],
  ]),
  ...inFile('features/profile/server/claim-queries.ts', tests, [
    [
      'where mine = theirs or are_tied(mine, theirs)',
      'where are_tied(mine, theirs)',
      'who made a robot does not confirm what it asks for',
    ],
  ]),
  ...inFile('features/team/server/robot-queries.ts', tests, [
    ['ended_at is null and expires_at > now()`', 'ended_at is null`', 'a token ends at its time'],
    ['ended_at is null and expires_at > now()`', 'expires_at > now()`', 'an ended token opens nothing'],
  ]),
  ...inFile('features/team/server/members.ts', tests, [
    [
      "!user?.is_active || user.kind !== 'person'",
      '!user?.is_active',
      'the roles of a robot are given as those of a robot',
    ],
  ]),
]
