import { inFile } from './mutant.ts'

/** The queue of jobs, restoring, and what counts as read. */
export const queue = [
  ...inFile(
    'foundation/server/backup/restore.ts',
    ['foundation/server/backup/backup.test.ts'],
    [['if (options.compare) await compareRows(client, sums)', '', 'a restore that lost rows says so']],
  ),
  ...inFile(
    'features/support/tickets/server/message-queries.ts',
    ['features/support/messages/server/messages.test.ts'],
    [
      [
        "where ${kind} <> 'event' and not exists (",
        "where ${kind} <> 'event' or exists (",
        'who writes has read no more than they have seen',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/database/pool.ts',
    ['foundation/server/database/transaction.test.ts'],
    [
      [
        'return (await atOnce(both))[1]',
        'return both[1]',
        'a statement that fails beside COMMIT fails its transaction',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/jobs/free-places.ts',
    ['foundation/server/jobs/jobs.test.ts'],
    [
      [
        "const isCrowded = classes.some((one) => one !== 'heavy' && free[one] <= 0)",
        'const isCrowded = false',
        'heavy work leaves the processor to what is urgent',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/jobs/take-jobs.ts',
    ['tests/faults/cuts.test.ts'],
    [
      ['    await releaseLost()\n', '', 'a job that was taken by a lost answer is done'],
      ['held: heldIds()', 'held: []', 'a job that runs is not begun a second time'],
    ],
  ),
  ...inFile(
    'foundation/server/jobs/worker.ts',
    ['tests/faults/cuts.test.ts'],
    [['    query_timeout: waits.answer_ms,\n', '', 'a lost answer stops no jobs']],
  ),
]
