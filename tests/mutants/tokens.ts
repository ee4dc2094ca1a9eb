import { inFile, type Mutant } from './mutant.ts'
import { webhooks } from './webhooks.ts'

const S = 'features/sharing/server/'
const tests = [`${S}roles.test.ts`, `${S}tokens.test.ts`]

/** Mutants of what programs use: tokens by which they act for an account, and webhooks. */
export const tokens: readonly Mutant[] = [
  ...webhooks,
  ...inFile(
    'foundation/server/http/access.ts',
    ['tests/system/access.test.ts'],
    [
      ['if (known.program) return refusalOfProgram(route)', '', 'a program makes no call of oneself'],
      [
        "return access.acts === 'own' && !access.orProgram ? 'session_required' : undefined",
        'return undefined',
        'what is of oneself is for nobody else, no program either',
      ],
      [
        "who !== 'customer' || style === 'auth') return",
        "who !== 'customer') return",
        'no token opens the account calls',
      ],
    ],
  ),
  ...inFile('foundation/server/http/serve.ts', tests.slice(0, 1), [
    ['named.account ?? program?.account_id', 'named.account', 'a token acts for its own account alone'],
  ]),
  ...inFile('features/sharing/server/secret-form.ts', tests.slice(1), [
    [
      'random !== undefined && check === checkOf(random)',
      'random !== undefined',
      'a mistyped token costs no query',
    ],
  ]),
  ...inFile('features/sharing/server/token-queries.ts', tests.slice(1), [
    [
      't.token_hash = ${token_hash} and token_lives(t.id)',
      't.token_hash = ${token_hash}',
      'an ended token opens nothing',
    ],
    [
      "then null else warned_days end\n    where id = ${id}::uuid and coalesce(last_used_at < now() - interval '1 minute', true)",
      'then null else warned_days end\n    where id = ${id}::uuid',
      'the last use is written once a minute',
    ],
  ]),
  ...inFile(
    'features/support/files/server/files.ts',
    ['features/support/server/helpers.test.ts'],
    [
      [
        'const uploader_id = personOf(app, actor)',
        'const uploader_id = actor.user_id',
        'a file of a token is sent by that token alone',
      ],
    ],
  ),
  ...inFile('features/sharing/server/tokens.ts', tests.slice(1), [
    ["if (ends === 'unused' && mayActAs", 'if (mayActAs', 'a token that pays may have a fixed end'],
    [
      'if (token?.owner_id !== user_id) throw notFound()\n  return',
      'if (!token) throw notFound()\n  return',
      'a token is its owner’s alone',
    ],
  ]),
]
