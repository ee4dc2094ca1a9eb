import { listApprovals } from '#features/approvals/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'

/** Loads the list anew, and the badge in the navigation. */
export function refreshApprovals(): void {
  for (const route of [listApprovals, getStaffMe]) refreshQueries(route)
}
