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

/** A search by parts of words shows people to staff; what it finds is chosen by a person, never acted on by an address. */
const BY_SEARCH = /\b(?:accountsByAddress|accountsLike|findPeople)\b/
const MAY_SEARCH = new Set([
  LOOK_UPS,
  'features/profile/server/names.ts',
  'features/profile/server/profile.ts',
  'features/customers/server/search.ts',
  'features/support/desk/server/staff-tickets.ts',
])

/**
 * The functions of the owner of a mailbox or an account alone: a command that called one would make a claim of its operator a
 * proof.
 */
const OF_THE_OWNER = /\b(?:insertAddress|verifyAddress|proveByReset|setPassword|createUser)\b/

const compares = /\.where\(\s*['"](?:\w+\.)?email['"]|\bemail\s*(?:=|like|ilike|in\s*\()\s*(?:any\s*\()?\$\{/i

/**
 * A person is found by a proven address only, and no command proves one. The attack is a customer who adds the operator's address to
 * their account, and an operator who runs a command of the README with it.
 */
export const foundByProof: Rule = ({ paths, read }) =>
  paths
    .filter((path) => (isSource(path) && path.includes('/server/')) || path.startsWith('app/cli/'))
    .flatMap((path) => [
      ...(path !== LOOK_UPS && compares.test(read(path))
        ? [`${path} looks for a person by an address: call findAccountByProvenEmail, which asks for a proof.`]
        : []),
      ...(!MAY_USE_CLAIMS.has(path) && BY_CLAIM.test(read(path))
        ? [`${path} finds a person by an unproven claim: call findAccountByProvenEmail.`]
        : []),
      ...(!MAY_SEARCH.has(path) && BY_SEARCH.test(read(path))
        ? [`${path} takes a person from a search: call findAccountByProvenEmail.`]
        : []),
      ...(path.startsWith('app/cli/') && OF_THE_OWNER.test(read(path))
        ? [`${path} makes an account or proves an address: write an invitation.`]
        : []),
    ])
