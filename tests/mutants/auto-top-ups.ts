import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/sales/server/fill-balances.test.ts']
const races = ['features/sales/server/auto-top-up-races.test.ts']
const stopped = ['features/sales/server/stopped-runs.test.ts']
const amounts = ['features/auto-top-ups/rules.test.ts']
const calls = ['features/auto-top-ups/server/auto-top-ups.test.ts']

/** The mutants of balances that fill themselves. */
export const autoTopUps: readonly Mutant[] = [
  ...inFile('features/auto-top-ups/rules.ts', amounts, [
    ['choice <= ofMonth && choice <= room', 'choice <= room', 'never above the limit of the month'],
    [' && choice <= room && choice <= max', ' && choice <= max', 'never above the highest balance'],
    ['lacks < min ? min : lacks', 'lacks', 'never less than the smallest top-up'],
    ['due_at <= wanted.until', 'true', 'renewals that are far away are not paid yet'],
  ]),
  ...inFile('features/auto-top-ups/server/begin.ts', tests, [
    [' && of_day < MOST_A_DAY', '', 'three runs a day at most'],
  ]),
  ...inFile('features/auto-top-ups/server/begin.ts', races, [
    [' || !row.is_due', '', 'two looks at once try a decline again at once'],
  ]),
  ...inFile('features/auto-top-ups/server/charge.ts', races, [
    ["if (locked?.state === 'charging')", 'if (locked)', 'an answer does not undo what an event told'],
  ]),
  ...inFile('features/auto-top-ups/server/charge.ts', tests, [
    [' && used <= allowed.month_limit', '', 'a limit that was lowered holds an announced debit back'],
  ]),
  ...inFile('features/auto-top-ups/server/charge.ts', stopped, [
    [
      'if (run.asked_at === null)',
      'if (false as boolean)',
      'a run is cancelled whose provider knows nothing',
    ],
    [
      'if (await runs.isSettled(tx, run.top_up_id, CHARGE_SETTLED_S))',
      'if (true as boolean)',
      'a call may still be under way',
    ],
    [
      ' || locked.asked_at?.getTime() !== run.asked_at?.getTime()',
      '',
      'a run that was asked for meanwhile goes on',
    ],
    ["if (end !== 'moving') return", 'return', 'a charge that was made is waited for'],
  ]),
  ...inFile('features/auto-top-ups/server/ends.ts', stopped, [
    [
      " || (state === 'charging' && asked_at === null)",
      '',
      'turned off, a charge that was not asked for is cancelled',
    ],
  ]),
  ...inFile('features/auto-top-ups/server/ends.ts', tests, [
    [
      'if (isFinal || days === undefined)',
      'if (days === undefined)',
      'a decline for good is not tried again',
    ],
  ]),
  ...inFile('features/auto-top-ups/server/reactions.ts', tests, [
    ["if (kind !== 'charged_back' || !stopsMethod) return", 'return', 'a dispute pauses'],
  ]),
  ...inFile('features/auto-top-ups/server/choice.ts', tests, [
    ['    await cancelWaiting(tx, user_id)\n', '', 'turned off, an announced debit is not charged'],
  ]),
  ...inFile('features/auto-top-ups/server/choice.ts', calls, [
    ['if (body.version !== (before?.version ?? OFF))', 'if (false)', 'a choice of another tab stays'],
  ]),
]
