import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/customers/server/factor-resets.test.ts']

/** Mutants of moves of an account to another address, and of the mails that end an announcement. */
export const moves: readonly Mutant[] = [
  ...inFile('features/customers/server/move-account.ts', tests, [
    ['links: [], always: true', 'links: []', 'a second person confirms each move'],
    [
      '  if (await findAccountByProvenEmail(tx, email))\n',
      '  if (false)\n',
      'no address of another account is taken',
    ],
  ]),
  ...inFile('features/profile/server/move-to-address.ts', tests, [
    [
      '  if (proven && proven.user_id !== user_id) return false\n',
      '',
      'an address that was proven meanwhile is not taken',
    ],
    [
      '  for (const { id } of before.filter((one) => one.email !== email)) await queries.removeAddress(tx, id)\n',
      '',
      'the lost mailbox asks for no new password',
    ],
  ]),
  ...inFile(
    'features/announcements/server/deliver.ts',
    ['features/announcements/server/announcements.test.ts'],
    [
      [
        "if (!published?.ended_at || published.kind === 'news') return 0",
        'if (!published?.ended_at) return 0',
        'news end without a mail',
      ],
    ],
  ),
  ...inFile(
    'features/customers/server/past-mails.ts',
    ['features/announcements/server/announcements.test.ts'],
    [
      [
        "mail.hindranceOf(found) ?? (isNoMore ? 'unwanted' : undefined)",
        'mail.hindranceOf(found)',
        'no news is sent again to somebody who stopped it',
      ],
    ],
  ),
  ...inFile(
    'features/profile/server/news-key.ts',
    ['features/announcements/server/announcements.test.ts'],
    [
      [
        'digestKeys(keys).some((own) => timingSafeEqual(proofOf(own, user_id, one), given))',
        'given.length > 0',
        'nobody stops the news of others',
      ],
    ],
  ),
  ...inFile(
    'features/announcements/server/news-readers.ts',
    ['features/announcements/server/announcements.test.ts'],
    [
      [
        "await recordAction(tx, { user_id: null, act: 'news.exported', ...origin, detail })",
        'void recordAction',
        'no list of readers leaves without a line in the audit',
      ],
    ],
  ),
  ...inFile(
    'features/announcements/server/publish.ts',
    ['features/announcements/server/announcements.test.ts'],
    [
      [
        'queries.countReaders(db, row, await chosenBy(app, db, row.scope))',
        'queries.countReaders(db, row, undefined)',
        'those whom a filter finds are counted, for the second person too',
      ],
      [
        'await queries.publishRevision(tx, id, await chosenBy(app, tx, scope))',
        'await queries.publishRevision(tx, id, undefined)',
        'a filter has its readers',
      ],
    ],
  ),
  ...inFile(
    'features/announcements/server/queries.ts',
    ['features/announcements/server/announcements.test.ts'],
    [
      [
        'where (h.announcement_id, h.revision) = ${revision} and h.user_id = ${user_id})',
        'where h.user_id = ${user_id})',
        'a reader of one letter is no reader of each',
      ],
      [
        "kind === 'news' ? sql`a.user_id in (${accountsWithNews})` : sql`true`",
        'sql`true`',
        'news needs consent',
      ],
      [
        "${kind === 'news' ? sql`a.user_id in (${accountsWithNews})` : sql`true`}",
        '${sql`a.user_id in (${accountsWithNews})`}',
        'a service letter needs no consent',
      ],
      [
        'where ${later} and ${speaksIt(scope)} and ${readsIt(',
        'where ${later} and ${readsIt(',
        'a letter in German goes to those who read German',
      ],
    ],
  ),
]
