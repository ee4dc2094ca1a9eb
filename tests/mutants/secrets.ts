import { inFile, type Mutant } from './mutant.ts'

const secrets = ['features/support/messages/server/secrets.test.ts']
const redaction = ['features/support/messages/server/redaction.test.ts']

const merging = ['features/support/tickets/server/merge.test.ts']

/** Mutants of who opens a secret and who removes a message, and of what is left of both. */
export const secretsAndRedaction: readonly Mutant[] = [
  ...inFile('features/support/tickets/server/secrets.ts', secrets, [
    ['if (by_staff === reader.is_staff)', 'if (false)', 'the side that wrote a secret does not open it'],
    ['  await queries.noteOpened(tx, secret_id, reader.person_id)\n', '', 'a secret is opened once'],
  ]),
  ...inFile('features/support/tickets/server/secret-queries.ts', secrets, [
    [
      'sealed is not null and expires_at > now() for update',
      'sealed is not null for update',
      'a secret ends after 30 days',
    ],
    ['sealed not like ${`${boxId}.%`}', 'false', 'a secret is sealed anew when the key changes'],
  ]),
  ...inFile('features/support/tickets/rules.ts', redaction, [
    ["role === 'staff' || author_id === person_id", 'true', 'customers remove only their own messages'],
  ]),
  ...inFile('features/support/tickets/server/redaction.ts', redaction, [
    ['if (await isHeld(tx, row))', 'if (false)', 'a hold keeps what it is about'],
    ["if (left.kind !== 'comment') return []", 'return []', 'events forget what was removed'],
  ]),
  ...inFile('features/support/tickets/server/merged.ts', merging, [
    [
      'if (!row || row.user_id !== ticket.user_id) return ticket',
      'if (!row) return ticket',
      'nothing lands in a ticket of another customer',
    ],
    ['return isOpen ? last : ticket', 'return last', 'helpers write only in tickets that their grant opens'],
  ]),
  ...inFile('features/support/tickets/server/merge.ts', merging, [
    [
      "if (into.user_id !== ticket.user_id) throw badRequest('other_customer', 'number')",
      '',
      'tickets of one customer alone are merged',
    ],
    [
      "if (merge.isLate) throw new HttpError(409, [{ code: 'merge_is_final' }])",
      '',
      'a merge is undone for seven days',
    ],
  ]),
  ...inFile('features/support/messages/server/forget-copies.ts', redaction, [
    ['    await forgetAnswers(tx, events)\n', '', 'answers of webhooks are forgotten'],
  ]),
  ...inFile('foundation/server/mail/redact.ts', redaction, [
    ["if (state === 'sent' || state === 'kept')", 'if (true)', 'a mail that waits is not sent'],
  ]),
]
