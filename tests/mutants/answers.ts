import { inFile, type Mutant } from './mutant.ts'

const A = 'foundation/web/api/'
const calls = [`${A}call.test.tsx`]
const kept = [`${A}keep.test.tsx`]

/** Mutants of what answers store (rule 57). */
export const answers: readonly Mutant[] = [
  ...inFile(`${A}stored-session.ts`, calls, [
    [
      '  if (!isStillSeen(seen)) return false\n',
      '',
      'a late answer stores nothing over a session that has begun, changed or ended',
    ],
    [
      '  if (!isStillSeen(seen)) return\n  for',
      '  for',
      'an answer ends the session that its call saw, and no later one',
    ],
    ['seen.session_token === session_token && ', '', 'a session is another one by its token'],
    ['user_id === storedSession.user()?.id && signed_in', 'signed_in', 'a person is another one by the id'],
  ]),
  ...inFile(`${A}call.ts`, calls, [
    [
      '  if (!isAuth && !isSamePerson(session)) return { ...unsent, seen }\n',
      '',
      'a call that waited is not sent in the name of the next person',
    ],
    ['seen: isStored ? seeNow() : seen', 'seen', 'what an answer has stored itself is no other session'],
    [
      '  if (!isOfStored && !meta?.access_token) return false\n',
      '',
      'the challenge of a passkey stores no session',
    ],
  ]),
  ...inFile(`${A}renewed.ts`, calls, [
    [
      '  if (!isSamePerson(seen)) return answer\n',
      '',
      'a refused call is not sent again in the name of the next person',
    ],
  ]),
  ...inFile(`${A}keep.ts`, kept, [
    [
      '  if (!isForPerson(answered)) return\n  const query =',
      '  const query =',
      'an answer is not kept for the next person',
    ],
    [
      '  if (!isForPerson(answered)) return\n  const queryKey',
      '  const queryKey',
      'an answer is not kept in the lists of the next person',
    ],
    [
      'query !== undefined && isNewer(query, answered)',
      'false',
      'an answer does not undo what came after its call began',
    ],
    [
      'if (isNewer(query, answered)) void',
      'if (false) void',
      'an answer does not undo in lists what came after its call began',
    ],
  ]),
  ...inFile(
    'features/auth/web/passkey-autofill.ts',
    ['features/auth/web/passkey-autofill.test.tsx'],
    [
      [
        '    if (!isStillSeen(seen)) return\n',
        '',
        'a passkey that is chosen late does not take the place of a password that was right',
      ],
    ],
  ),
]
