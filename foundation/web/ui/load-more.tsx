import { useRef } from 'react'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'
import { Button } from './button.tsx'

/** The pages of a list, as `useInfiniteQuery` gives them. */
type Pages = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => Promise<unknown>
}

/** The next page of a list, at its foot. A failure is shown here; what is loaded stays. */
export function LoadMore({ pages }: { pages: Pages }) {
  const place = useRef<HTMLDivElement>(null)
  const running = useRef(false)
  const load = async () => {
    // A second click comes before the button shows that it is busy, and would begin anew.
    if (running.current) return
    running.current = true
    await pages.fetchNextPage()
    running.current = false
    // With the last page the button goes; a keyboard user goes on from here, not from the top.
    place.current?.focus()
  }
  const refused = pages.isFetchNextPageError && pages.error instanceof CallError ? pages.error : undefined
  const [error] = refused?.answer.errors ?? []
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col items-center gap-2 outline-none">
      <p role="status" className={error ? 'text-sm text-danger-text' : 'sr-only'}>
        {error ? errorText(error) : pages.isFetchingNextPage ? m.ui_loading() : ''}
      </p>
      {pages.hasNextPage ? (
        <Button pending={pages.isFetchingNextPage} onClick={() => void load()}>
          {m.ui_load_more()}
        </Button>
      ) : null}
    </div>
  )
}
