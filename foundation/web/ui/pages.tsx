import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { LoadMore } from './load-more.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

type Query<Item> = Omit<Parameters<typeof LoadMore>[0]['pages'], 'data'> & {
  data: { pages: readonly { items: readonly Item[] }[] } | undefined
  refetch: () => Promise<unknown>
}

type Props<Item> = {
  pages: Query<Item>
  /** Names the failed action, as the title of the error. */
  failed: string
  /** Shown if the list is empty. */
  none: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** A list in pages in each of its states: loading, failed, empty, loaded. */
export function Pages<Item>({ pages, failed, none, children }: Props<Item>) {
  const items = pages.data?.pages.flatMap((page) => page.items)
  if (!items)
    return pages.error ? (
      <ErrorState title={failed} error={pages.error} onRetry={() => void pages.refetch()} />
    ) : (
      <Loading>
        <Skeleton className="h-64 rounded-lg" />
      </Loading>
    )
  if (items.length === 0)
    return typeof none === 'string' ? <p className="text-sm text-muted">{none}</p> : none
  return (
    <>
      {children(items)}
      <LoadMore pages={pages} />
    </>
  )
}
