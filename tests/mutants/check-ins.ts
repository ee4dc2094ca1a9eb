import { inFile, type Mutant } from './mutant.ts'

const S = 'features/hosts/server/'

/** Mutants of the interval that agents are told. */
export const checkIns: readonly Mutant[] = [
  ...inFile(
    `${S}agent-queries.ts`,
    [`${S}agents.test.ts`],
    [
      ['is_news or is_watched then', 'is_news then', 'whoever looks at a server sees it live'],
      ['is_news or is_watched then', 'is_watched then', 'a server in doubt comes soon again'],
      [
        'least(${resting_s}::int, longest_interval_of(host_id))',
        '${resting_s}::int',
        'one lost check-in is no alarm',
      ],
    ],
  ),
  ...inFile(
    `${S}queries.ts`,
    [`${S}agents.test.ts`],
    [['* a.interval_s)`', '* 30)`', 'connected follows the interval told']],
  ),
]
