import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { propertyOf } from '#foundation/web/property.ts'
import type { InputOf, Route } from '#foundation/contract.ts'
import type { AnswerStatus, Answer } from './answer.ts'
import { readAnswer } from './answer.ts'
import { callAny, callText, type CallOptions } from './call.ts'

/** The error that a query throws when its call was refused: the customer sees `answer.errors` and `answer.requestId`. */
export class CallError extends Error {
  readonly answer: AnswerStatus
  constructor(answer: AnswerStatus) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

/** For `useQuery(queryFor(contract.list))`: the data is the body of the 200; any other status is an error (CallError). */
export function queryFor<const R extends Route>(route: R, ...[input]: Input<R>) {
  return queryOptions({
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => bodyOf(route, input, { signal }),
  })
}

/** Like `queryFor`, for a route whose 200 is a text file: the data is the text. */
export function textQueryFor<const R extends Route>(route: R, input: InputOf<R>) {
  return queryOptions({
    queryKey: keyOf(route, input),
    queryFn: async ({ signal }): Promise<string> => {
      const answer = await callText(route, input, textOf, { signal })
      if (answer.status !== 200) throw new CallError(answer)
      return String(answer.body)
    },
  })
}

/**
 * For `useInfiniteQuery(pagedQueryFor(contract.list, { query }))` on a list in pages: `data.pages` are the bodies of the 200s, and
 * `fetchNextPage` loads the page after the last one. Loaded pages stay in the cache for a person who comes back to the list.
 */
export function pagedQueryFor<const R extends Route>(route: R, ...[input]: Input<R>) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(route, input ?? {}), 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const given: { query?: object } = input ?? {}
      const query = pageParam === undefined ? given.query : { ...given.query, cursor: pageParam }
      return bodyOf(route, { ...given, query }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextCursorOf,
  })
}

/** Marks all loaded data of a route as out of date: shown data is loaded anew at once, the rest when it is shown. */
export const refreshQueries = (route: Route): void =>
  void queryClient.invalidateQueries({ queryKey: keyOf(route) })

/** The key of all queries of a route, for `queryClient.invalidateQueries({ queryKey: keyOf(contract.list) })`. */
export function keyOf(route: Route, input?: object): readonly unknown[] {
  return input === undefined ? [route.path] : [route.path, input]
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      // Without a network a query must fail visibly, and not wait in silence.
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
})

// If a query is invalidated during its first fetch, the library does not fetch again, and the answer may be older than the change.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'invalidate') return
  const { query } = event
  if (query.state.data !== undefined || query.state.fetchStatus === 'idle') return
  void query.fetch().then(
    () => queryClient.invalidateQueries({ predicate: (one) => one === query }),
    () => {},
  )
})

type Input<R extends Route> =
  Record<string, never> extends InputOf<R> ? [input?: InputOf<R>] : [input: InputOf<R>]

type BodyOf<R extends Route> = Extract<Answer<R>, { status: 200 }>['body']

async function textOf(response: Response): Promise<AnswerStatus> {
  if (response.status !== 200) return readAnswer(response)
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  return { status: 200, body: (await response.text()).trim(), errors: [], requestId }
}

/** Returns the body of the 200, as the contract declares it. Throws CallError for any other status. */
function bodyOf<R extends Route>(
  route: R,
  input: object | undefined,
  options: CallOptions,
): Promise<BodyOf<R>>
async function bodyOf(route: Route, input: object | undefined, options: CallOptions): Promise<unknown> {
  const answer = await callAny(route, input, options)
  if (answer.status !== 200) throw new CallError(answer)
  return answer.body
}

function nextCursorOf(page: unknown): string | undefined {
  const cursor = propertyOf(page, 'next_cursor')
  return typeof cursor === 'string' ? cursor : undefined
}

function isPassing(error: Error): boolean {
  return error instanceof CallError && (error.answer.status === 0 || error.answer.status >= 500)
}
