import { useQuery } from '@tanstack/react-query'
import { getStaffMe } from '#features/team/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

/** The signed-in member of staff with their permissions; nothing is fetched for customers. */
export const useStaffMe = (isStaff: boolean) => useQuery({ ...queryFor(getStaffMe), enabled: isStaff })

/** True if calls for staff are answered now. Otherwise they would only fill the audit with refusals. */
export const useMayWork = (isStaff: boolean): boolean => useStaffMe(isStaff).data?.two_factor === 'ok'

/** On pages of staff, true where the member holds a permission; the server judges each call anyway. */
export function useMay(permission: string): boolean {
  return useStaffMe(true).data?.permissions.includes(permission) ?? false
}

/** The amounts that the member may move alone by an action; undefined if no second person is ever asked. */
export const useAllowance = (permission: string) =>
  useStaffMe(true).data?.allowances.find(({ act }) => act === permission)
