import { useRef, useState } from 'react'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'
import { Button } from './button.tsx'

/** The pages of a list, as `useInfiniteQuery` gives them. */
type Pages = State & {
  isFetchingNextPage: boolean
  error: unknown
  fetchNextPage: (options: { cancelRefetch: false }) => Promise<State>
}
type State = {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
  isFetchNextPageError: boolean
}

/** The button below a list that loads the next page. A failure is shown here; the loaded pages stay. */
export function LoadMore({ pages }: { pages: Pages }) {
  const place = useRef<HTMLDivElement>(null)
  const [running, setRunning] = useState(false)
  const load = async () => {
    setRunning(true)
    await addPage(pages)
    setRunning(false)
    // The button disappears after the last page; the focus must stay here and not begin at the top of the page.
    place.current?.focus()
  }
  const refused = pages.isFetchNextPageError && pages.error instanceof CallError ? pages.error : undefined
  const [error] = refused?.answer.errors ?? []
  const pending = running || pages.isFetchingNextPage
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col items-center gap-2 outline-none">
      <p role="status" className={error ? 'text-sm text-danger-text' : 'sr-only'}>
        {error ? errorText(error) : pending ? m.ui_loading() : ''}
      </p>
      {pages.hasNextPage ? (
        <Button pending={pending} onClick={() => void load()}>
          {m.ui_load_more()}
        </Button>
      ) : null}
    </div>
  )
}

/** Fetches the next page, after a running refetch of the list. Fetches again if only the refetch was waited for, and no page was added. */
async function addPage({ data, fetchNextPage }: Pages): Promise<void> {
  const before = lengthOf(data)
  for (;;) {
    const now = await fetchNextPage({ cancelRefetch: false })
    if (now.isFetchNextPageError || !now.hasNextPage || lengthOf(now.data) !== before) return
  }
}

const lengthOf = (data: State['data']): number => data?.pages.length ?? 0
