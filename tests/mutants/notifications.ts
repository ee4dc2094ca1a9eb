import { inFile, type Mutant } from './mutant.ts'

const S = 'features/notifications/server/'
const tests = [`${S}notifications.test.ts`]

/** Mutants of whom the bell tells what. */
export const notifications: readonly Mutant[] = [
  ...inFile(`${S}reactions.ts`, tests, [
    [
      "if (kind === 'note') return tellMentioned(app, tx, written)",
      '',
      'a note is told to whom it mentions alone',
    ],
    [
      'id !== author_id && id !== customer_id && mayDo(staff_roles, deskPermission)',
      'true',
      'nobody tells themselves',
    ],
    ["if (status === 'proposed')", 'if (true)', 'what is decided waits for nobody'],
  ]),
  ...inFile(`${S}queries.ts`, tests, [
    [
      'where user_id = ${user_id} and read_at is null and (',
      'where read_at is null and (',
      'each reads their own',
    ],
    ['make_interval(days => ${KEPT_DAYS})', "interval '10 years'", 'what is old goes'],
  ]),
  ...inFile(`${S}feature.ts`, tests, [
    [
      'on(userDeactivated, (_app, tx, { user_id }) => deleteAllOf(tx, user_id)),',
      '',
      'a closed account leaves nothing',
    ],
  ]),
]
