import { inFile, type Mutant } from './mutant.ts'

/** Text as people mean it (rule 55). */
export const text: readonly Mutant[] = [
  ...inFile(
    'foundation/fields.ts',
    ['foundation/fields.test.ts', 'foundation/email-address.test.ts'],
    [
      ['typed(plainCode, max)', 'opaqueText(max)', 'a code is read as people type and paste it'],
      ['typed(plainKey, max)', 'opaqueText(max)', 'a key is read as people paste it'],
      ['/^[!-~]+@/.test(value)', "value !== ''", 'no mail goes to an address that none reaches'],
    ],
  ),
  ...inFile(
    'foundation/markup-addresses.ts',
    ['foundation/markup.test.ts'],
    [
      [
        '/^(?:https?:\\/\\/|mailto:)[^\\s]/i.test(href)',
        "href !== ''",
        'a link leads out by http, https or mail and nowhere else',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/mail/deliver.ts',
    ['foundation/server/mail/outbox.test.ts'],
    [
      [
        '&& badAddress.has(responseCode)',
        '&& false',
        'an address that no server takes is not tried for a day',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/mail/transport.ts',
    ['foundation/server/mail/outbox.test.ts'],
    [
      [
        'if (needsSmtpUtf8(to)) await',
        'if (to === String()) await',
        'no mail vanishes at a server that cannot take its address',
      ],
    ],
  ),
  ...inFile(
    'features/profile/rules.ts',
    ['features/profile/rules.test.ts'],
    [['prefixTwins[prefix] ?? prefix', 'prefix', 'Greeks write GR or EL']],
  ),
  ...inFile(
    'features/security/rules.ts',
    ['features/customers/server/activity.test.ts'],
    [["  'mail.dead',\n", '', 'a customer learns that mails to them are refused']],
  ),
  ...inFile(
    'features/support/files/server/pictures.ts',
    ['features/support/files/server/hostile-files.test.ts'],
    [['performance.now() < latest', 'latest > 0', 'no picture waits for minutes for those of others']],
  ),
]
