import { inFile, type Mutant } from './mutant.ts'

const E = 'foundation/server/account-events/'
const records = [`${E}record.test.ts`]
const pulls = ['features/hosts/server/events.test.ts']

/** Mutants of account events. */
export const events: readonly Mutant[] = [
  ...inFile(`${E}known-lists.ts`, records, [
    ['lists.epoch < epoch', 'false', 'a process learns of a list that began meanwhile'],
  ]),
  ...inFile(`${E}fitting.ts`, records, [
    ['for (let { items } = longest; items >= 1;', 'for (let items = 0; items >= 1;', 'no list fails an act'],
    [
      'keptBytes(JSON.parse(text)) / MOST_KEPT_BYTES',
      '0',
      'no data that the database keeps in a longer form fails an act',
    ],
    [
      'return value.slice(0, items)',
      'return value.slice(0, Math.min(items, 50))',
      'lists lose no more than they must',
    ],
  ]),
  ...inFile(`${E}reading.ts`, records, [
    ['  await waitForOlder(app)\n', '', 'a reader waits for the acts that do not know of it'],
  ]),
  ...inFile(`${E}routes.ts`, pulls, [
    [
      'acting && !acting.all_hosts ? await hostsOpened(app.db, acting.grant_id) : undefined',
      'undefined',
      'a helper reads of the servers of the grant alone',
    ],
    ['!acting || mayActAs(acting.role, opens)', 'true', 'a helper reads the kinds of the role alone'],
    [
      'return data ? [{ ...event, data }] : []',
      'return [event]',
      'a helper reads what the role opens of the data',
    ],
    ['if (!isComplete) throw', 'if (false) throw', 'a reader is told that it has missed something'],
  ]),
  ...inFile(
    'features/support/tickets/server/record-events.ts',
    ['features/sales/server/events.test.ts'],
    [["if (row.kind !== 'comment') return", '', 'notes are in no event']],
  ),
]
