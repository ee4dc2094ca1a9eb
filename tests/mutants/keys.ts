import { inFile, type Mutant } from './mutant.ts'

/** Mutants of licence keys that are renewed, and of what staff grant beyond limits. */
export const keys: readonly Mutant[] = [
  ...inFile(
    'features/licences/server/clones.ts',
    ['features/licences/server/machines.test.ts'],
    [
      [
        'past_boots.includes(boot)',
        'past_boots.includes(boot) && false',
        'a boot that comes back is another machine',
      ],
      [
        'now.getTime() - last_seen.getTime() > SILENT_MS',
        'true',
        'a clone takes no place of a machine that runs',
      ],
      [
        'one.last_seen.getTime() - other.last_seen.getTime()',
        'other.last_seen.getTime() - one.last_seen.getTime()',
        'the machine that was silent has restarted',
      ],
    ],
  ),
  ...inFile(
    'features/hosts/server/keys.ts',
    ['features/sharing/server/sharing.test.ts'],
    [['if (app.acting) await mailOwner', 'if (false) await mailOwner', 'a helper renews no key in silence']],
  ),
  ...inFile(
    'features/licences/server/document.ts',
    ['features/licences/server/revocations.test.ts'],
    [
      [
        'Math.max(Math.floor(now.getTime() / 1000), documents_from_s)',
        'Math.floor(now.getTime() / 1000)',
        'a document of after a revocation counts',
      ],
    ],
  ),
  ...inFile(
    'database/baseline/11_licences.sql',
    ['features/licences/server/revocations.test.ts'],
    [
      ['bigint + 1, latest', 'bigint, latest', 'what was read before the commit is void'],
      ['latest + 1)', 'latest)', 'the next revocation voids the documents of after the first'],
    ],
  ),
  ...inFile(
    'features/sales/server/book-refund.ts',
    ['features/licences/server/debts.test.ts'],
    [
      [
        'if (isOthers && !end_for_next_owner) return',
        '',
        'a refund to a former owner takes nothing from the next one',
      ],
      ['if (!isOthers || !isEnded) return', 'return', 'the next owner hears that their time has ended'],
    ],
  ),
  ...inFile(
    'features/sales/server/parts.ts',
    ['features/licences/server/debts.test.ts'],
    [['owner === owner_id || ends_at === null', 'true', 'staff see that somebody else has the paid time']],
  ),
  ...inFile(
    'features/hosts/server/keys.ts',
    ['features/licences/server/validate.test.ts'],
    [
      [
        'if (at_once) await queries.dropKeys(tx, id)',
        'if (at_once) void 0',
        'at once ends the keys of before too',
      ],
      ['if (licence_key === null) throw', 'if (false) throw', 'renewals are bounded'],
    ],
  ),
  ...inFile(
    'features/hosts/server/key-queries.ts',
    ['features/licences/server/validate.test.ts'],
    [[' and ends_at > statement_timestamp()', '', 'a key of before answers until its end']],
  ),
  ...inFile(
    'features/licences/server/machines.ts',
    ['features/licences/server/validate.test.ts'],
    [['if (family.length === 0 && host.key_until) return true', '', 'a key of before brings no machine']],
  ),
  ...inFile(
    'features/licences/server/document.ts',
    ['features/licences/server/validate.test.ts'],
    [['[key_until, lease_until,', '[lease_until,', 'a document ends with its key']],
  ),
  ...inFile(
    'features/licences/server/document-queries.ts',
    ['features/licences/server/validate.test.ts'],
    [[' and (begins_at is null or begins_at <= now())', '', 'documents with a key that still answers count']],
  ),
  ...inFile(
    'database/baseline/11_licences.sql',
    ['features/licences/server/validate.test.ts'],
    [
      [
        'old.licence_key <> new.licence_key and old.user_id',
        'false and old.user_id',
        'documents with a key that has ended are void',
      ],
    ],
  ),
  ...inFile(
    'features/hosts/server/transfer-queries.ts',
    ['features/licences/server/transfers.test.ts'],
    [
      ['await dropKeys(tx, id)', '', 'a key of the former owner ends with the transfer'],
      [
        ', licence_key = ${licence_key}, key_checked_at = now()',
        ', key_checked_at = now()',
        'the next owner has a key of their own',
      ],
    ],
  ),
  ...inFile(
    'features/licences/server/licences.ts',
    ['features/licences/server/transfers.test.ts'],
    [
      [
        "places of the next one's.\n  await forgetMachines(tx, host_id)",
        "places of the next one's.\n",
        'machines of the former owner hold no place of the next one’s',
      ],
    ],
  ),
  ...inFile(
    'features/sharing/server/former-queries.ts',
    ['features/sharing/server/sharing.test.ts'],
    [
      ["'-infinity')\n", "'infinity')\n", 'the owner hears of who has seen the keys'],
      ['and not exists (', 'or not exists (', 'who still has access has not lost it'],
    ],
  ),
  ...inFile(
    'features/licences/server/lease-queries.ts',
    ['features/licences/server/leases.test.ts'],
    [
      [
        ' and released_at is null and lease_until > clock_timestamp()\n    returning leased_at',
        '\n    returning leased_at',
        'a seat that ran out is not extended beside its successor',
      ],
      [' and other.id <> ${id}::uuid) < ${limit}', ') < 1000', 'no more seats than were sold'],
    ],
  ),
  ...inFile(
    'features/licences/server/leases.ts',
    ['features/licences/server/leases.test.ts'],
    [
      ['if (holders.length >= limit) return undefined', '', 'a machine without a seat leaves no row'],
      ['  if (place >= terms.limit) return undefined\n', '', 'a smaller plan has fewer seats'],
      ['await leases.freeExpiredSeats(tx, host.id)', '', 'silence frees a seat'],
    ],
  ),
  ...inFile(
    'features/licences/server/document.ts',
    ['features/licences/server/leases.test.ts'],
    [
      ['[key_until, lease_until,', '[key_until,', 'a document ends with the lease of its seat'],
      [
        'is_over || (leaseOf(host) !== undefined && !lease_until)',
        'is_over',
        'no document licenses without a seat',
      ],
    ],
  ),
]
