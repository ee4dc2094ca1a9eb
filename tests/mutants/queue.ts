import { inFile } from './mutant.ts'

/** The queue of jobs, mails that are sent again, restoring, and what counts as read. */
export const queue = [
  ...inFile(
    'foundation/server/mail/history.ts',
    ['features/customers/server/by-command.test.ts'],
    [["if (its === 'security') return 'secret'", '', 'staff send no link of security again']],
  ),
  ...inFile(
    'features/customers/server/past-mails.ts',
    ['features/customers/server/by-command.test.ts'],
    [
      ['of !== undefined && found.user_id !== of', 'false', 'the mail that is sent again is the customer’s'],
      ['if (!allowed) throw', 'if (allowed === undefined) throw', 'staff do not fill a mailbox'],
      [
        "letter.startsWith('invoice_') ? invoices : email",
        'email',
        'invoices go to the address for invoices',
      ],
    ],
  ),
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
        'order by ${sql.ref(number)} limit 1) is null',
        'order by ${sql.ref(number)} limit 0) is null',
        'who writes has read no more than they have seen',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/database/pool.ts',
    ['foundation/server/database/transaction.test.ts'],
    [
      [
        'const answers = await atOnce(all)',
        'const answers = await Promise.all(all.map((one, at) => (at < all.length - 1 ? one.catch(() => nothing) : one)))',
        'a statement that fails beside COMMIT fails its transaction',
      ],
      [' || text.startsWith(OPENS)', '', 'the opening of a transaction goes with its work'],
      ['held.some(isBegin) ? Promise.resolve(nothing) : ', '', 'nothing is sent where nothing began'],
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
    ['tests/faults/cuts.test.ts', 'foundation/server/jobs/jobs.test.ts'],
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
