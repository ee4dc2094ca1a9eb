import type { Route } from '#foundation/contract.ts'
import { refusalOfKind, type Known } from './access.ts'
import { HttpError } from './http-error.ts'

/**
 * Throws 403 where the contract wants a further permission for things of this kind, and the caller lacks it. The server asks for the `kind`
 * in a body by itself; a handler asks for the kind of a thing that it has read.
 */
export function assertKind(
  contract: Pick<Route, 'access'>,
  caller: Pick<Known, 'actor' | 'in_staff_network'>,
  kind: unknown,
): void {
  if (refusalOfKind(contract, caller, kind)) throw new HttpError(403, [{ code: 'not_allowed' }])
}
