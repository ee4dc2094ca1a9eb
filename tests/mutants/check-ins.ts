import { inFile, type Mutant } from './mutant.ts'

const S = 'features/hosts/server/'
const agents = [`${S}agents.test.ts`]
const figures = [`${S}figures.test.ts`]

/** Mutants of the interval that agents are told, and of how figures are kept. */
export const checkIns: readonly Mutant[] = [
  ...inFile(`${S}agent-queries.ts`, agents, [
    ['is_news or is_watched then', 'is_news then', 'whoever looks at a server sees it live'],
    ['is_news or is_watched then', 'is_watched then', 'a server in doubt comes soon again'],
    [
      'least(${resting_s}::int, longest_interval_of(host_id))',
      '${resting_s}::int',
      'one lost check-in is no alarm',
    ],
  ]),
  ...inFile(`${S}queries.ts`, agents, [
    ['* a.interval_s)`', '* 30)`', 'connected follows the interval told'],
  ]),
  ...inFile(`${S}figures-queries.ts`, figures, [
    [' and f.points = k.former', '', 'two processes do not undo what the other wrote'],
    ['join host_agents a on', 'left join host_agents a on', 'a deleted server gets no figures'],
    [
      'where not is_day and starts_at < date_trunc',
      'where starts_at < date_trunc',
      'a folded day is not folded again',
    ],
  ]),
  ...inFile(
    `${S}figures-row.ts`,
    [`${S}figures-row.test.ts`],
    [
      ['if (row.length <= most_bytes) return row', 'return row', 'no row outgrows its bytes'],
      ['if (!other || isLater(point, other))', 'if (!other)', 'the last report of a minute counts'],
    ],
  ),
  ...inFile(`${S}gather.ts`, figures, [
    ['await writeWaiting(app, Infinity)', '', 'a process that ends writes what it gathered'],
    ['is_urgent || since_ms', 'since_ms', 'whoever looks at a server sees its figures at any process'],
    ['since_ms <= now_ms - WAIT_MS', 'false', 'no point waits for five minutes'],
  ]),
  ...inFile(`${S}metrics.ts`, figures, [
    ['[...written, ...waitingPoints(app, host.id)]', '[...written]', 'a process draws what it gathered'],
    ['await forgetFigures(tx, BigInt(id))', '', 'the figures of a deleted server go'],
  ]),
]
