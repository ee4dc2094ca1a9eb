import { useQuery } from '@tanstack/react-query'
import { getStaffMe } from '#features/team/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

/** The permissions of the member at the screen; fetched for nobody else. */
export const useStaffMe = (isStaff: boolean) => useQuery({ ...queryFor(getStaffMe), enabled: isStaff })

/** True where calls of staff are answered: else asking them would only fill the audit with refusals. */
export const useMayWork = (isStaff: boolean): boolean => useStaffMe(isStaff).data?.two_factor === 'ok'
