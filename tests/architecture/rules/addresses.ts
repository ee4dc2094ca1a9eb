import { isSource, type Rule } from './tree.ts'

/** The statements that look for a person by an address, and the one of them that gives rights and money: rule 36. */
const LOOK_UPS = 'features/profile/server/claim-queries.ts'

/** Look-ups by a mere claim, for acts in which a password or a key from a mail decides. */
const BY_CLAIM = /\b(?:accountToSignIn|accountInUse|claimsTo)\b/
const MAY_USE_CLAIMS = new Set([
  LOOK_UPS,
  'features/profile/server/claims.ts',
  'features/profile/server/profile.ts',
  'features/auth/server/login.ts',
  'features/auth/server/signup.ts',
  'features/auth/server/password-reset.ts',
])

const compares = /\.where\(\s*['"](?:\w+\.)?email['"]|\bemail\s*(?:=|like|ilike|in\s*\()\s*(?:any\s*\()?\$\{/i

/**
 * A person is found by a proven address only. The attack is a customer who adds the operator's address to their account, and
 * an operator who runs a command of the README with it.
 */
export const foundByProof: Rule = ({ paths, read }) =>
  paths
    .filter((path) => (isSource(path) && path.includes('/server/')) || path.startsWith('app/cli/'))
    .flatMap((path) => [
      ...(path !== LOOK_UPS && compares.test(read(path))
        ? [`${path} looks for a person by an address: call findAccountByEmail, which asks for a proof.`]
        : []),
      ...(!MAY_USE_CLAIMS.has(path) && BY_CLAIM.test(read(path))
        ? [`${path} finds a person by an unproven claim: call findAccountByEmail.`]
        : []),
    ])
