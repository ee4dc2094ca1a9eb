import { isSource, type Rule } from './tree.ts'

/** The file of all statements that look for a person by an address. One of them serves the acts that give rights or money (rule 36). */
const LOOK_UPS = 'features/profile/server/claim-queries.ts'

/** Look-ups by an unproven address, for acts that also need a password or a key from a mail. */
const BY_CLAIM = /\b(?:accountToSignIn|accountInUse|claimsTo)\b/
const MAY_USE_CLAIMS = new Set([
  LOOK_UPS,
  'features/profile/server/claims.ts',
  'features/profile/server/profile.ts',
  'features/auth/server/login.ts',
  'features/auth/server/signup.ts',
  'features/auth/server/password-reset.ts',
  // A purchase with the address of an account waits for a key that is mailed there.
  'features/shop/server/arrive.ts',
])

/** Searches by parts of words, from which a member of staff chooses a person. No act may take its person from such a search. */
const BY_SEARCH = /\b(?:accountsByAddress|accountsLike|findPeople)\b/
const MAY_SEARCH = new Set([
  LOOK_UPS,
  'features/profile/server/names.ts',
  'features/profile/server/profile.ts',
  'features/customers/server/search.ts',
  'features/support/desk/server/staff-tickets.ts',
])

/**
 * Functions that only the owner of a mailbox or an account may cause to run: a command that called one would turn an unproven address
 * into a proven one.
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
