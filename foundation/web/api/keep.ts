import type { DataTag, QueryKey } from '@tanstack/react-query'
import type { Route } from '#foundation/contract.ts'
import { keyOf, queryClient } from './query.ts'
import { countChange, isForPerson, type Answered } from './seen.ts'

/** The number of the last change of each query's data. */
const changedAt = new WeakMap<object, number>()

queryClient.getQueryCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'success') changedAt.set(event.query, countChange())
})

type Key<T> = DataTag<QueryKey, T> | QueryKey
type Change<T> = (known: T | undefined) => T | undefined

/**
 * Shows what the answer of a call brings, if it is still asked for (rule 57). It keeps nothing for a person who is gone. If the data has
 * changed since the call began, by another call or an event, nobody knows which of both is newer: it is loaded again. A function changes
 * some fields of the present data, whatever else has changed.
 */
export function keepAnswer<T>(answered: Answered, queryKey: Key<T>, kept: T | Change<T>): void {
  if (!isForPerson(answered)) return
  const query = queryClient.getQueryCache().find({ queryKey, exact: true })
  const isStale = query !== undefined && isNewer(query, answered)
  if (isStale && typeof kept !== 'function') void queryClient.invalidateQueries({ queryKey, exact: true })
  else keepData(queryKey, kept)
}

const isNewer = (query: object, { seen }: Answered): boolean => (changedAt.get(query) ?? 0) > seen.changes

/** Shows what a person chose or an event brought just now. A fetch that is running may bring older data, so it is started again. */
export function keepData<T>(queryKey: Key<T>, data: T | Change<T>): void {
  const isBeingRead = queryClient.isFetching({ queryKey, exact: true }) > 0
  queryClient.setQueryData<T>(queryKey, data)
  if (isBeingRead) void queryClient.invalidateQueries({ queryKey, exact: true })
}

/**
 * Shows at once what an act will change of the data of a query, sends it, and takes it back if the act fails. If something newer came
 * meanwhile, the data is loaded again instead. For acts that can be undone: whoever acts must not wait for what is nearly certain.
 */
export async function showAtOnce<T extends object, A extends { status: number }>(
  queryKey: Key<T>,
  part: Partial<T>,
  send: () => Promise<A>,
): Promise<A> {
  const before = queryClient.getQueryData<T>(queryKey)
  if (before === undefined) return send()
  // An older answer that is still on its way would take it back for a moment.
  await queryClient.cancelQueries({ queryKey, exact: true })
  const shown = queryClient.setQueryData<T>(queryKey, { ...before, ...part })
  const answer = await send()
  if (answer.status >= 200 && answer.status < 300) return answer
  if (queryClient.getQueryData(queryKey) === shown) queryClient.setQueryData<T>(queryKey, before)
  else void queryClient.invalidateQueries({ queryKey, exact: true })
  return answer
}

/** Changes all loaded lists of a route by what no later answer takes back, as the end of a thing. */
export function changeLists<T>(route: Route, change: (known: T) => T): void {
  queryClient.setQueriesData<T>({ queryKey: keyOf(route) }, (known) =>
    known === undefined ? known : change(known),
  )
}

/**
 * Changes all loaded lists of a route by an answer, as `keepAnswer` does: lists that have changed since the call began, and lists that are
 * being loaded, are loaded again.
 */
export function keepInLists<T>(answered: Answered, route: Route, change: (known: T) => T): void {
  if (!isForPerson(answered)) return
  const queryKey = keyOf(route)
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    if (isNewer(query, answered)) void queryClient.invalidateQueries({ predicate: (one) => one === query })
    else queryClient.setQueryData<T>(query.queryKey, (known) => (known === undefined ? known : change(known)))
  }
  void queryClient.invalidateQueries({ queryKey, fetchStatus: 'fetching' })
}
