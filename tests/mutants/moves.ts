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
]
