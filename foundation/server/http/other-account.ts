import type { Route } from '#foundation/contract.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import { isUuid } from '#foundation/uuid.ts'

type Judged = Pick<Route, 'method' | 'path' | 'access'>

/** True for a call of staff that acts on an account, which must not be the member's own, nor one that is linked with it. */
export const actsOnAccount = ({ method, access }: Judged): boolean =>
  access.who === 'staff' && method !== 'GET' && (access.account === undefined || access.account === 'body')

/** The parameter by which a path names an account itself. */
const USER = 'userId'

/** An id as the product makes them; the path has not been parsed yet. */
const ID = /^[\w-]{1,64}$/u

/** True if the input of this call names the account that it acts on. */
export const namesAccount = ({ path, access }: Judged, owned: readonly OwnedThing[]): boolean =>
  (access.who === 'staff' && access.account === 'body') ||
  [USER, ...owned.map(({ parameter }) => parameter)].some((one) => path.includes(`{${one}}`))

/**
 * Refuses a member who acts on an account of their own, or on one that may be theirs: 403 `own_account` (decision 065). It is asked for
 * each call of staff that writes, before its input is read, so that no handler can forget it; acts that lock the account ask again.
 */
export async function assertOther(
  app: App,
  contract: Route,
  member: { user_id: string },
  { params, body }: { params: unknown; body: unknown },
): Promise<void> {
  const { access } = contract
  if (!actsOnAccount(contract) || access.who !== 'staff') return
  const named: unknown[] = [Reflect.get(Object(params), USER)]
  if (access.account === 'body') named.push(Reflect.get(Object(body), 'user_id'))
  for (const { parameter, ownerOf } of app.ownedThings) {
    const id: unknown = Reflect.get(Object(params), parameter)
    if (typeof id === 'string' && ID.test(id)) named.push(await ownerOf(app.db, id))
  }
  for (const account of named)
    if (typeof account === 'string' && isUuid(account))
      await app.assertNotOwn?.(app.db, member.user_id, account)
}
