import { listApprovals } from '#features/approvals/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'

/** Reloads the list of approvals and the number on its badge in the navigation. */
export function refreshApprovals(): void {
  for (const route of [listApprovals, getStaffMe]) refreshQueries(route)
}
