import { inFile, type Mutant } from './mutant.ts'

const S = 'features/hosts/server/'

/** Mutants of alerts: no false one, none twice, none lost. */
export const alerts: readonly Mutant[] = [
  ...inFile(
    `${S}alert-watch-queries.ts`,
    [`${S}alerts.test.ts`],
    [
      ['b.beat_at < now() - ${outage}', 'false', 'an outage of ours opens no alert'],
      ['>= 3)', '>= 3000)', 'agents that are all silent are an outage of ours'],
    ],
  ),
  ...inFile(
    `${S}alert-notices.ts`,
    [`${S}alerts.test.ts`],
    [
      ['!opening_told && told_at !== null', 'false', 'a rule tells once an hour'],
      ['const TOGETHER = 10', 'const TOGETHER = 100', 'ten at once are one mail'],
    ],
  ),
  ...inFile(
    `${S}alert-watch-queries.ts`,
    [`${S}alert-values.test.ts`],
    [[' and not is_suspended', '', 'a suspended server opens none']],
  ),
  ...inFile(
    `${S}alert-watch-queries.ts`,
    [`${S}alert-edges.test.ts`],
    [
      [' and beat_at > now() - ${outage} from', ' from', 'a process that stood still opens none'],
      ['hold_until + ${patience} <= now()', 'hold_until <= now()', 'patient agents have more time'],
      ["closed_at < now() - interval '400 days'", 'false', 'old alerts are forgotten'],
    ],
  ),
  ...inFile(
    `${S}alert-notice-queries.ts`,
    [`${S}alert-edges.test.ts`],
    [
      [
        "filter (where opening_told_at > now() - interval '2 minutes')",
        'filter (where false)',
        'what was told a moment ago counts among the ten',
      ],
    ],
  ),
  ...inFile(
    `${S}transfer-answers.ts`,
    [`${S}alert-values.test.ts`],
    [['await forgetAlerts(tx, [id])', '', 'alerts of a server stay with nobody else']],
  ),
]
