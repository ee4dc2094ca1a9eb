import { inFile, type Mutant } from './mutant.ts'

const passedOn = ['features/sharing/server/passed-on.test.ts']

/** Mutants of the ways that lead to an account through a helper. */
export const ways: readonly Mutant[] = [
  ...inFile('database/migrations/0017_account_tokens.sql', passedOn, [
    [
      '  perform from users u where u.id = (select g.owner_id from account_grants g where g.id = passed_on) for share;',
      '',
      'nothing commits after the helper in the middle is blocked',
    ],
    [
      '\n    and may_act(person, w.needs_second_factor);',
      ';',
      'who acts is judged once more when the act begins',
    ],
  ]),
  ...inFile('database/baseline/09_sharing.sql', passedOn, [
    [
      "where h.owner_id = owner and h.state = 'active' and h.may_pass_on)",
      'where false)',
      'the owner sees who acts through a helper',
    ],
    [
      "on u.id = g.grantee_id and u.is_active and u.access <> 'locked'",
      'on u.id = g.grantee_id',
      'who is locked is not named as acting',
    ],
    [
      "\n  where not w.needs_second_factor or u.factors && array['totp', 'webauthn']\n",
      '\n',
      'who lacks the second factor is not named as acting',
    ],
  ]),
  ...inFile(
    'features/sharing/server/way-queries.ts',
    ['features/sharing/server/roles.test.ts', ...passedOn],
    [
      [
        'g.id in (w.grant_id, w.through) and ${limited}',
        'false',
        'a helper with a limit switches on no renewal',
      ],
      [
        'in (w.grant_id, w.through) and',
        'in (w.grant_id) and',
        'a limit of either bounds who acts through a helper',
      ],
    ],
  ),
  ...inFile('features/sharing/server/feature.ts', passedOn, [
    [
      'on(accessChanged, (_app, tx, { user_id }) => publishToConcerned(tx, user_id)),',
      '',
      'the owner and those behind hear of a block',
    ],
    [
      'on(factorsChanged, (_app, tx, { user_id }) => publishToConcerned(tx, user_id)),',
      '',
      'the owner and those behind hear of a second factor',
    ],
  ]),
]
