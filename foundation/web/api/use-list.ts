import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { InputOf, Route } from '#foundation/contract.ts'
import { pagedQueryFor, queryClient } from './query.ts'

/** The most rows that a file of a list has. */
export const MOST_ROWS = 5_000

/**
 * A list in pages for `DataTable`: the loaded ones, of which the former stay in sight while those of another filter are loaded, and a
 * function that reads the pages of a file, one after the other.
 */
export function useList<const R extends Route>(route: R, input: InputOf<R> & { query: object }) {
  const pages = { ...input, query: { ...input.query, limit: String(PAGE) } }
  return {
    query: useInfiniteQuery({ ...pagedQueryFor(route, input), placeholderData: keepPreviousData }),
    readPages: () =>
      queryClient.infiniteQuery({
        ...pagedQueryFor(route, pages),
        pages: MOST_ROWS / PAGE,
        staleTime: 0,
        gcTime: 0,
      }),
  }
}

const PAGE = 100
