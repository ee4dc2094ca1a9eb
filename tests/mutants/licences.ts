import { keys } from './keys.ts'
import { inFile, type Mutant } from './mutant.ts'

/** Mutants of upgrades, trials and renewals. */
export const licences: readonly Mutant[] = [
  ...keys,
  ...inFile(
    'features/sales/server/plan-moves.ts',
    ['features/sales/server/renewal-plan.test.ts'],
    [
      ['  if (before.is_active) throw', '  if (false) throw', 'a plan on sale keeps its customers'],
      ['after.term === before.term', 'true', 'nobody is moved to another term'],
      ['counts_from && counts_from < earliest', 'false', 'each owner has 30 days of notice'],
      ['known && known.counts_from > new Date()', 'false', 'two moves of a plan do not overlap'],
      ['{ ...watch, announced_net: net }', 'watch', 'nobody pays more than the mail said'],
      ['!(await licences.insertNotice(tx, move.id, host))', 'false', 'nobody is told twice'],
      [
        '!host || !(await licences.deleteNotice(tx, move.id, host))',
        '!host',
        'nobody is told twice that the plan stays',
      ],
    ],
  ),
  ...inFile(
    'features/licences/server/plan-move-queries.ts',
    ['features/sales/server/renewal-plan.test.ts'],
    [
      [
        '>= greatest(m.counts_from, t.told_at + make_interval(days => ${RISE_NOTICE_DAYS}))',
        '>= now()',
        'a renewal within the notice is with the plan of before',
      ],
      ["    .where('counts_from', '>', sql<Date>`now()`)\n", '', 'a move that counts is not undone'],
    ],
  ),
  ...inFile(
    'features/sales/rules.ts',
    ['features/sales/rules.test.ts'],
    [
      ['(2n * net * rest + whole) / (2n * whole)', '(net * rest) / whole', 'shares are rounded half up'],
      [
        '{ starts_at: term_starts_at, ends_at }',
        '{ starts_at: from, ends_at }',
        'the rest of a term costs its share of the term',
      ],
      [
        'Math.max(from.getTime(), starts_at.getTime())',
        'from.getTime()',
        'a period that has not begun is worth no more than was paid for it',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/upgrade-plan.ts',
    ['features/sales/server/upgrade.test.ts'],
    [
      ['      period.rank < rank &&\n', '', 'only a higher edition is an upgrade'],
      ['(period.is_trial || period.term === plan.term) &&', '', 'another term is no upgrade'],
      [
        "if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])",
        '',
        'nobody pays for a server that may not run',
      ],
      [
        'age_ms >= 0 && age_ms <= PREVIEW_VALID_S * 1000',
        'age_ms >= 0',
        'a preview counts for its time only',
      ],
      [
        "if (rest === 0n) throw new HttpError(409, [{ code: 'too_little_left' }])",
        '',
        'nothing is bought for nothing',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/upgrade.ts',
    ['features/sales/server/upgrade.test.ts'],
    [
      [
        'if (expected_total && !isSameMoney(',
        'if (expected_total && !Object(',
        'an upgrade costs what was shown',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/upgrade-plan.ts',
    ['features/sales/server/upgrade.test.ts'],
    [
      [
        "({ host, plan, period, kind: 'upgrade', net, extras })",
        "({ host, plan, period: { ...period, term_starts_at: period.starts_at }, kind: 'upgrade', net, extras })",
        'an upgrade of an upgrade costs its share of the whole term',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/book-refund.ts',
    ['features/sales/server/upgrade.test.ts'],
    [
      [
        '  if (wanted.every((id) => holdsLock(tx, locks.hosts, id))) return new Map()',
        '',
        'an upgrade moves no later time up',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/renew.ts',
    ['features/sales/server/announced-price.test.ts'],
    [['announced_net: watch.announced_net,', '', 'a renewal costs no more than its mails have named']],
  ),
  ...inFile(
    'features/sales/server/trial.ts',
    ['features/sales/server/trial.test.ts'],
    [
      [
        'await claimTrialAddresses(tx, { user_id, host_id, ipv4, ipv6 })',
        '',
        'an address is tried once, by whoever',
      ],
      [
        'if (!(await addressesOf(tx, user_id)).some(({ verified }) => verified))',
        'if (false)',
        'whoever tries can be reached',
      ],
      ['if (runsOn(host)) throw', 'if (false) throw', 'a trial begins where nothing runs'],
    ],
  ),
  ...inFile(
    'features/sales/server/trial.ts',
    ['features/sales/server/trial-kept.test.ts'],
    [['if (!auto_renew) return', 'return', 'nothing is charged for who has not said so']],
  ),
  ...inFile(
    'features/sales/server/upgrade-plan.ts',
    ['features/sales/server/trial-kept.test.ts'],
    [
      [
        'const moved = isTried ? movedUp',
        'const moved = false ? movedUp',
        'what is paid follows the term that took the place of a trial',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/renew.ts',
    ['features/sales/server/renew.test.ts', 'features/sales/server/renew-together.test.ts'],
    [
      [
        'refusal !== undefined && due.at(-1) === lastTry',
        'refusal === lastTry.does',
        'renewal ends after the last try',
      ],
      ['!standing.host.auto_renew || ', '', 'what was switched off buys nothing'],
      [
        'now >= stepAt(watch.ends_at, firstTry) && ',
        '',
        'money on the balance renews nothing before its day',
      ],
    ],
  ),
]
