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
    ['await deleteAllOf(tx, user_id)', '', 'a closed account leaves nothing'],
  ]),
  ...inFile(
    `${S}send-push.ts`,
    [`${S}push.test.ts`],
    [
      ["if (status === 404 || status === 410) return 'gone'", '', 'a browser that is gone is forgotten'],
      ['if (!news) return', 'if (!news) throw new Error()', 'what is read is not pushed'],
    ],
  ),
  ...inFile(
    `${S}push.ts`,
    [`${S}push.test.ts`],
    [
      [
        "if (refused) throw badRequest(refusals[refused], 'endpoint')",
        '',
        'messages go to public addresses by https alone',
      ],
    ],
  ),
  ...inFile(
    `${S}push-queries.ts`,
    [`${S}push.test.ts`],
    [
      [
        'where user_id = ${user_id} and endpoint = ${endpoint}',
        'where endpoint = ${endpoint}',
        'nobody ends those of others',
      ],
    ],
  ),
]
