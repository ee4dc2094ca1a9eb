import { useQuery } from '@tanstack/react-query'
import { listMethods, type PaymentMethod } from '#features/methods/contract.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'

const FOLLOW_ms = 2000
const MOST_ASKED = 15

/** The saved methods; one that is `awaited` is looked for half a minute, as its provider tells of it in its own time. */
export const useMethods = (awaited?: string) =>
  useQuery({
    ...queryFor(listMethods),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      awaited !== undefined && !data?.items.some(({ id }) => id === awaited) && dataUpdateCount < MOST_ASKED
        ? FOLLOW_ms
        : false,
  })

export const refreshMethods = (): void => refreshQueries(listMethods)

/** The methods that can be charged, the default one first; none until they are loaded. Asked for only where it is `wanted`. */
export function useUsableMethods(wanted: boolean): readonly PaymentMethod[] {
  const { data } = useQuery({ ...queryFor(listMethods), enabled: wanted })
  return (wanted && data?.items.filter(({ state }) => state === 'active')) || []
}
