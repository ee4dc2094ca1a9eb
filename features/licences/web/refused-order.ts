import { getFinances } from '#features/finance/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { Refused } from '#foundation/web/form/use-form.ts'

/**
 * Where a refused order is told: that the address carries a licence already is the fault of the address. A balance that
 * turned out too small is asked anew, so that the dialog shows what is missing (row H-03).
 */
export function refusedOrder({ status, errors }: Refused & { status: number }): Refused {
  if (status === 402) refreshQueries(getFinances)
  return {
    errors: errors.map((error) => (error.code === 'ipv4_licensed' ? { ...error, param: 'ipv4' } : error)),
  }
}
