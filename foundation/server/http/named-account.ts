import type { Route } from '#foundation/contract.ts'
import { isForHelpers } from './possible-errors.ts'
import { badRequest } from './http-error.ts'
import { fieldNames } from './field-names.ts'
import { isUuid } from '#foundation/uuid.ts'

/** Own things and those of all accounts that the caller helps, in the lists whose contract says so. */
export const ALL_ACCOUNTS = 'all'

/**
 * The account that a call for helpers names by `for`. It is taken out of the query, which the contracts declare without it, but for those
 * that give it more meaning. Throws 400 `invalid`@for.
 */
export function namedAccount(
  contract: Pick<Route, 'access' | 'query'>,
  query: unknown,
): { account: string | undefined; query: unknown } {
  if (!isForHelpers(contract.access) || typeof query !== 'object' || query === null || !('for' in query))
    return { account: undefined, query }
  const { for: named, ...rest } = query
  const account = named === ALL_ACCOUNTS ? undefined : named
  if (fieldNames(contract.query).includes('for'))
    return { account: typeof account === 'string' ? account : undefined, query }
  if (typeof named !== 'string' || !isUuid(named)) throw badRequest('invalid', 'for')
  return { account: named, query: rest }
}
