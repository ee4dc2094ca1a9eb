import { useId, type ComponentProps, type ReactNode } from 'react'
import { Loaded } from './loaded.tsx'
import { LoadMore } from './load-more.tsx'
import { Coming, Skeleton } from './skeleton.tsx'

/** A list in pages, as `useInfiniteQuery` gives it. */
export type Pages<Item> = Omit<ComponentProps<typeof LoadMore>['pages'], 'data'> & {
  data: { pages: readonly { items: readonly Item[] }[] } | undefined
  refetch: () => unknown
}
/** A list that comes whole, as `useQuery` gives it. */
type Whole<Item> = {
  data: { items: readonly Item[] } | undefined
  error: unknown
  refetch: () => unknown
}

type Props<Item> = Pick<ComponentProps<typeof Loaded>, 'failed' | 'waiting'> & {
  query: Pages<Item> | Whole<Item>
  /** Shown if the list is empty. */
  none: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** A list in each of its states: loading, failed, empty, loaded. A list in pages has a button for the next one below it. */
export function LoadedList<Item>({
  query,
  failed,
  waiting = <WaitingRows rows={4} />,
  none,
  children,
}: Props<Item>) {
  const { error, refetch } = query
  return (
    <Loaded query={{ data: itemsOf(query), error, refetch }} failed={failed} waiting={waiting}>
      {(items) =>
        items.length === 0 ? (
          typeof none === 'string' ? (
            <p className="text-sm text-muted">{none}</p>
          ) : (
            none
          )
        ) : (
          <>
            {children(items)}
            {'fetchNextPage' in query ? <LoadMore pages={query} /> : null}
          </>
        )
      }
    </Loaded>
  )
}

type SectionProps<Item> = {
  pages: Pages<Item>
  title: string
  text: string
  children: (items: readonly Item[]) => ReactNode
}

/** A list of what waits for somebody, with its heading; shows nothing if nothing waits. */
export function WaitingSection<Item>({ pages, title, text, children }: SectionProps<Item>) {
  const id = useId()
  const items = itemsOf(pages)
  if (!items) return <Coming of={pages} />
  if (items.length === 0 && !pages.hasNextPage) return null
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div>
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-sm text-muted">{text}</p>
      </div>
      {items.length > 0 ? children(items) : null}
      <LoadMore pages={pages} />
    </section>
  )
}

/** The loaded rows of a list. */
export function itemsOf<Item>({
  data,
}: Pick<Pages<Item> | Whole<Item>, 'data'>): readonly Item[] | undefined {
  return data && ('items' in data ? data.items : data.pages.flatMap(({ items }) => items))
}

/** The places of the rows of a list that loads. */
export const WaitingRows = ({ rows }: { rows: number }) => (
  <div className="ruled rounded-lg border border-line">
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className="flex items-center justify-between gap-4 px-5 py-4">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-28" />
        </div>
        <Skeleton className="h-4 w-24" />
      </div>
    ))}
  </div>
)
