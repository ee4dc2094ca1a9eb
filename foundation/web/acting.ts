import { helperRoles, type HelperRole } from '#foundation/capability.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import { propertyOf } from './property.ts'
import { VIEWING } from './viewing.ts'

export type ActedFor = { id: string; name: string; role: HelperRole }

/** The account that this tab acts for; undefined for the user's own account. */
export function actedFor(): ActedFor | undefined {
  try {
    const account: unknown = JSON.parse(sessionStorage.getItem(VIEWING) ?? '')
    return isAccount(account) ? account : undefined
  } catch {
    return undefined
  }
}

/** True for a helper who may read only, by a role: in the account that this tab acts for, if none is given. */
export const onlyReads = (role = actedFor()?.role): boolean => role === 'read'

const isAccount = (account: unknown): account is ActedFor =>
  helperRoles.some((role) => role === propertyOf(account, 'role'))

/** Switches to another account, or to the user's own. Loads the document anew, so that no data of the former account stays in memory. */
export function actFor(account: ActedFor | undefined, path: string): void {
  if (account) sessionStorage.setItem(VIEWING, JSON.stringify(account))
  else sessionStorage.removeItem(VIEWING)
  window.location.assign(PAGES_BASE + path)
}
