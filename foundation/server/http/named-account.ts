import type { Route } from '#foundation/contract.ts'
import { isForHelpers, isForOneself } from './possible-errors.ts'
import { badRequest, HttpError } from './http-error.ts'
import { fieldNames } from './field-names.ts'
import { isUuid } from '#foundation/uuid.ts'

/** The value of `for` that lists the things of the caller and of all accounts that the caller helps, if the contract allows it. */
export const ALL_ACCOUNTS = 'all'

/**
 * Returns the account that a call for helpers names by `for`, and the query without `for`. A contract that gives `for` more meaning
 * declares it, and its query keeps it. Throws 400 `invalid`@for, and 403 for a call that nobody may make for another account.
 */
export function namedAccount(
  contract: Pick<Route, 'access' | 'query' | 'style'>,
  query: unknown,
): { account: string | undefined; query: unknown } {
  if (typeof query !== 'object' || query === null || !('for' in query)) return { account: undefined, query }
  const declared = fieldNames(contract.query).includes('for')
  if (!isForHelpers(contract.access)) {
    if (isForOneself(contract) && !declared) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
    return { account: undefined, query }
  }
  const { for: named, ...rest } = query
  const account = named === ALL_ACCOUNTS ? undefined : named
  if (declared) return { account: typeof account === 'string' ? account : undefined, query }
  if (typeof named !== 'string' || !isUuid(named)) throw badRequest('invalid', 'for')
  return { account: named, query: rest }
}
