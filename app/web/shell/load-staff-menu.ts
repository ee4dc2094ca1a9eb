import { getStaffMe } from '#features/team/contract.ts'
import { queryClient, queryFor } from '#foundation/web/api/query.ts'
import { keepPermissions } from './staff-menu.ts'

/** Loads what the menu of staff shows, at most once: a member whose second factor is not proven yet gets none. Never fails. */
export async function loadStaffMenu(): Promise<void> {
  const query = queryFor(getStaffMe)
  if (queryClient.getQueryState(query.queryKey)) return
  const me = await queryClient.query(query).catch(() => undefined)
  if (me) keepPermissions(me.permissions)
}
