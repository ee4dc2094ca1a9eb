import { useQuery } from '@tanstack/react-query'
import { getStaffMe } from '#features/team/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

/** The member at the screen with its permissions; fetched for nobody else. */
export const useStaffMe = (isStaff: boolean) => useQuery({ ...queryFor(getStaffMe), enabled: isStaff })

/** True where calls of staff are answered: else asking them would only fill the audit with refusals. */
export const useMayWork = (isStaff: boolean): boolean => useStaffMe(isStaff).data?.two_factor === 'ok'

/** On pages of staff, true where the member holds a permission; the server judges each call anyway. */
export function useMay(permission: string): boolean {
  return useStaffMe(true).data?.permissions.includes(permission) ?? false
}

/** How much the member moves alone by an action; undefined where nobody else is ever asked. */
export const useAllowance = (permission: string) =>
  useStaffMe(true).data?.allowances.find(({ act }) => act === permission)
