import type { ReactNode } from 'react'
import { CallError } from '#foundation/web/api/query.ts'
import { ErrorState } from './error-state.tsx'
import { Page } from './page.tsx'
import { Coming, Loading, Skeleton } from './skeleton.tsx'

type Props<Data> = {
  /** Without `refetch` there is no button to retry. */
  query: { data: Data | undefined; error: unknown; refetch?: () => unknown }
  /** Names the failed action, as the title of the error. */
  failed: string
  /** The height of the skeleton as a class, or a skeleton in the shape of the content; null takes no room while it loads. */
  waiting?: ReactNode
  /** Absent where only the failure is shown. */
  children?: (data: Data) => ReactNode
}

/**
 * A query in each of its states: loading, failed, loaded. If it fails to load again, what was loaded before stays.
 * Pages show the states of a query by this, by `LoadedPage` or by `LoadedList` alone (a lint rule).
 */
export function Loaded<Data>({ query, failed, waiting = 'h-64', children }: Props<Data>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children?.(data)
  if (error) return <ErrorState title={failed} error={error} onRetry={refetch && (() => void refetch())} />
  if (waiting === null) return <Coming />
  return (
    <Loading>
      {typeof waiting === 'string' ? <Skeleton className={`${waiting} rounded-lg`} /> : waiting}
    </Loading>
  )
}

type PageProps<Data> = Props<Data> & {
  /** The title of the page until the content, which is a page with its own title, takes its place. */
  title: string
  /** The page in its place if there is no such thing at this address. */
  gone?: ReactNode
  /** The page around what loads, where that of the content has more than a title. */
  frame?: (content: ReactNode) => ReactNode
}

/** A page about one thing, in each of its states. */
export function LoadedPage<Data>({ title, gone, frame, ...rest }: PageProps<Data>) {
  const { query, children } = rest
  if (query.data !== undefined) return children?.(query.data)
  if (gone !== undefined && isGone(query.error)) return gone
  const content = <Loaded {...rest} />
  return frame ? frame(content) : <Page title={title}>{content}</Page>
}

/** True if a call found nothing at this address. An id of another form is answered alike. */
export const isGone = (error: unknown): boolean => error instanceof CallError && error.answer.status === 404
