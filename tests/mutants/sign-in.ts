import { inFile, type Mutant } from './mutant.ts'

const proofTests = [
  'features/security/server/reauthenticate.test.ts',
  'features/security/server/passkeys.test.ts',
  'features/security/server/totp.test.ts',
  'foundation/server/session/session.test.ts',
]

/** The gates of signing in: what a proof obtains, what voids a link, and tokens of a session that was rotated. */
export const signIn: readonly Mutant[] = [
  ...inFile(
    'foundation/server/session/tokens.ts',
    ['foundation/server/session/session.test.ts'],
    [
      ['exp <= Date.now() / 1000 ||', '', 'a token ends, also one whose signature was checked before'],
      ['token_use !== use ||', '', 'a token is of one use'],
      ['if (!isSigned(app, `${head}.${body}`, signature)) return undefined', '', 'a token is signed'],
      [
        'const before = known.get(token)',
        'const before = known.get(token) ?? [...known.values()][0]',
        'the whole token finds its payload',
      ],
    ],
  ),
  ...inFile('foundation/server/session/proofs.ts', proofTests, [
    [
      "if (hasFactor(factors)) return 'factor'",
      '',
      'a password is not enough where the account has a factor',
    ],
    ["factor === 'totp' ||", '', 'an app is a factor'],
    ["|| factor === 'webauthn'", '', 'a passkey is a factor'],
    ["has_password ? 'any' : 'none'", "'none'", 'an account with a password asks for a proof'],
    ['at > since && worthOf(method) >= least', 'worthOf(method) >= least', 'a proof is recent'],
    ['at > since && worthOf(method) >= least', 'at > since', 'a proof is worth what is asked for'],
  ]),
  ...inFile('features/security/server/recovery-codes.ts', proofTests, [
    [
      'if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }\n  return',
      'return',
      'recovery codes are not read without a proof',
    ],
    [
      'if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }\n  const',
      'const',
      'recovery codes are not made without a proof',
    ],
  ]),
  ...inFile('features/security/server/totp.ts', proofTests, [
    [
      '  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }\n  await transaction',
      '  await transaction',
      'no second factor is switched off without a proof',
    ],
  ]),
  ...inFile('features/security/server/totp.ts', proofTests.slice(1, 2), [
    [
      '    if (!isRecent(app, present)) return { status: 401, body: reauthenticationReply(present) }\n    const totp',
      '    const totp',
      'an app is judged again by the factor that appeared meanwhile',
    ],
  ]),
  ...inFile('features/security/server/passkeys.ts', proofTests.slice(1, 2), [
    [
      '    if (!isRecent(app, present)) return { status: 401, body: reauthenticationReply(present) }\n    const row',
      '    const row',
      'a passkey is judged again by the factor that appeared meanwhile',
    ],
  ]),
  ...inFile(
    'features/profile/server/profile.ts',
    ['features/profile/server/profile.test.ts'],
    [
      [
        'first_page !== undefined && actor.staff_roles.length === 0',
        'false',
        'customers have no choice of a first page',
      ],
    ],
  ),
  ...inFile('features/security/server/change-password.ts', proofTests, [
    ['before === undefined && !isRecent(app, actor)', 'false', 'a session alone obtains no password'],
  ]),
  ...inFile(
    'features/auth/server/login.ts',
    ['tests/system/commands-by-address.test.ts'],
    [
      [
        'waits ? await matchesHash(vain?.hash, body.password) : false',
        'false',
        'the password of a sign-up with a known address is answered as with an unknown one',
      ],
      ['if (vain && !isRight)', 'if (false)', 'the password of a vain sign-up opens no account'],
    ],
  ),
  ...inFile(
    'features/auth/server/signup.ts',
    ['tests/system/commands-by-address.test.ts'],
    [['if (vain && earlier.isOwn)', 'if (vain)', 'of two vain sign-ups the newest counts']],
  ),
  ...inFile(
    'features/auth/server/signup.ts',
    ['features/team/server/invitations.test.ts'],
    [
      [
        'return invitation !== undefined && ((await app.isInvited?.(app.db, email, invitation)) ?? false)',
        'return invitation !== undefined',
        'a sign-up that is closed is opened by the key of an invitation to this address alone',
      ],
    ],
  ),
  ...inFile(
    'features/security/server/attempts.ts',
    ['tests/system/commands-by-address.test.ts'],
    [['user_id && !isUnproven ?', 'user_id ?', 'a sign-up opens no new window of attempts']],
  ),
  // Names that are links.
  ...inFile(
    'foundation/server/mail/layout.ts',
    ['foundation/server/mail/layout.test.ts'],
    [
      [
        'harmless(written, config.operator.name)',
        'written',
        'a mail carries no link that somebody else has typed',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/mail/harmless.ts',
    ['foundation/server/mail/layout.test.ts'],
    [
      ['((!stranger && letter.own) || [])', '(letter.own ?? [])', 'a mail to a stranger has no own words'],
      ['stranger ? plain(block.quote) : block.quote', 'block.quote', 'a stranger gets no links in quotes'],
    ],
  ),
  ...inFile(
    'foundation/link-like.ts',
    ['foundation/server/mail/layout.test.ts'],
    [
      [
        'linksIn(text).every((found) => kept.has(found))',
        'linksIn(text).some((found) => kept.has(found))',
        'own links let no other link through',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/mails.ts',
    ['features/sales/server/charges-of-payers.test.ts'],
    [
      [
        'own: plansIn(values)',
        'own: [values.host]',
        'the name of a server is no link in the mail to its payer',
      ],
    ],
  ),
  ...inFile(
    'features/profile/contract.ts',
    ['tests/system/commands-by-address.test.ts'],
    [['!hasLink(value)', 'true', 'no new name is a link']],
  ),
  ...inFile(
    'features/profile/server/names.ts',
    ['features/profile/server/names.test.ts'],
    [
      [
        'return withoutLinks(row ? fullName(row)',
        'return String(row ? fullName(row)',
        'no stored name is a link for others',
      ],
    ],
  ),
  ...inFile(
    'features/auth/server/feature.ts',
    ['features/auth/server/password-reset.test.ts'],
    [
      [
        'on(passwordChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),',
        '',
        'another password voids the links that were mailed before',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/session/refresh/refresh.ts',
    ['foundation/server/session/refresh/refresh.test.ts'],
    [
      [
        'if (session?.generation !== claims.generation) return undefined',
        'if (!session) return undefined',
        'a refresh token of before a rotation is a dead one, and ends nothing',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/http/bodies.ts',
    ['foundation/server/http/serve.test.ts'],
    [
      [
        "if (!isDeclaredUtf8(request.headers['content-type']))",
        'if (false)',
        'a body in another charset is not misread',
      ],
    ],
  ),
]
