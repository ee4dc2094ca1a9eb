import { inFile } from './mutant.ts'

/** The queue of jobs, restoring, and what counts as read. */
export const queue = [
  ...inFile(
    'foundation/server/backup/restore.ts',
    ['foundation/server/backup/backup.test.ts'],
    [['if (options.compare) await compareRows(client, sums)', '', 'a restore that lost rows says so']],
  ),
  ...inFile(
    'features/support/tickets/server/read-marks.ts',
    ['features/support/messages/server/messages.test.ts'],
    [
      [
        'if (await messages.isUnseenBefore(tx, ticket.id, mark, { staff })) return false',
        '',
        'who writes has read no more than they have seen',
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
