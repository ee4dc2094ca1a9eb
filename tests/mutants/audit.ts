import { inFile, type Mutant } from './mutant.ts'

/** Mutants of the actor in the audit, of the entries that customers read, and of staff jobs after a kill. */
export const audit: readonly Mutant[] = [
  ...inFile(
    'database/baseline/01_foundation.sql',
    ['features/operations/server/operations.test.ts'],
    [
      [
        "coalesce(nullif(current_setting('app.person', true), ''), new.detail ->> 'by')",
        "new.detail ->> 'by'",
        'a helper is named',
      ],
      [
        'and exists (select from users where id = new.actor_id and is_staff) then',
        'then',
        'who helps or pays is no staff',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/audit/read-queries.ts',
    ['features/customers/server/activity.test.ts'],
    [['case when ${isSummed} then 0 else id end', 'id', 'a thousand tries of an hour are one line']],
  ),
  ...inFile(
    'foundation/server/http/audit-refused.ts',
    ['features/auth/server/lock-out.test.ts'],
    [['`${user_id} ${method} ${path}`', 'caller.request_id', 'a refused call is one row a minute']],
  ),
  ...inFile(
    'features/announcements/server/deliver.ts',
    ['tests/faults/kill-staff-jobs.test.ts'],
    [
      [
        '.filter(({ user_id }) => owed.has(user_id))',
        '',
        'after a kill nobody gets the mail of an announcement twice',
      ],
    ],
  ),
]
