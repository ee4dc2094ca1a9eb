import { startTransition, use, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

/** The code of a page could not be fetched: the network is away, or a new version replaced the file (row R-17). */
export class PageLoadError extends Error {}

/** A component whose code comes when it is needed. `preload` fetches it; a failure is forgotten, so that the next try fetches again. */
export type LazyComponent<Props = object> = {
  (props: Props): ReactNode
  preload: () => Promise<void>
  isLoaded: () => boolean
}

/** A whole page, for the router: if its code does not come, it throws a `PageLoadError`, and the error page is shown instead. */
export const lazyPage = <Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> => lazy(load, FailedPage)

/** A part of a page. If its code does not come, the part says so in its place: the page around it may have a form half filled in. */
export const lazyPart = <Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> => lazy(load, FailedPart)

type Failed = { onRetry: () => void }

function FailedPage(): never {
  throw new PageLoadError('page code')
}

function FailedPart({ onRetry }: Failed) {
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  })
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-muted">
      <p>{m.ui_load_failed()}</p>
      <Button size="small" onClick={onRetry}>
        {m.ui_retry()}
      </Button>
    </div>
  )
}

function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  DidNotLoad: ComponentType<Failed>,
): LazyComponent<Props> {
  let Loaded: ComponentType<Props> | undefined
  let latest: Promise<void> | undefined
  let failure: PageLoadError | undefined

  const forget = () => {
    if (failure) latest = failure = undefined
  }
  /** Begins to fetch, or takes part in the fetch that has begun. The promise is never rejected. */
  const attempt = (): Promise<void> => {
    latest ??= load()
      .then(
        (component) => {
          Loaded = localized(component)
        },
        (cause: unknown) => {
          failure = new PageLoadError('page code', { cause })
          // React renders what has failed again: with a new fetch each time it would never show the failure.
          setTimeout(forget, SHOWN_ms)
        },
      )
      // The status tells React without waiting for a tick that there is nothing to wait for.
      .then(() => void Object.assign(begun, { status: 'fulfilled' }))
    const begun = latest
    return begun
  }
  const preload = async () => {
    forget()
    await attempt()
    if (failure) throw failure
  }
  function LazyComponent(props: Props) {
    // It keeps its attempt: with each render around a part that has failed, the part would fetch and fail again.
    const [mine, setMine] = useState(attempt)
    use(mine)
    const retry = () => {
      forget()
      setMine(attempt())
    }
    return Loaded ? <Loaded {...props} /> : <DidNotLoad onRetry={retry} />
  }
  return Object.assign(LazyComponent, { preload, isLoaded: () => Loaded !== undefined })
}

/** The time in which a render finds the failure of the fetch that it waited for; a later render fetches again. */
const SHOWN_ms = 3000

/** True once the code of the part is there. The code is fetched after the page has shown, if not before, and again when the network is back. */
export function useLoaded({ preload, isLoaded }: Pick<LazyComponent, 'preload' | 'isLoaded'>): boolean {
  const [there, setThere] = useState(isLoaded)
  useEffect(() => {
    // A failure is ignored: the page works without the part.
    const load = () =>
      void preload().then(
        () => setThere(true),
        () => {},
      )
    const callOff = whenIdle(load)
    window.addEventListener('online', load)
    return () => {
      callOff()
      window.removeEventListener('online', load)
    }
  }, [preload])
  return there
}

/**
 * True once the page has shown and the browser has nothing better to do: for parts below the first view, which are rendered then. True at
 * once where `isLoaded`, so that a later visit shows the whole page at once.
 */
export function useShown(isLoaded = () => false): boolean {
  const [shown, setShown] = useState(isLoaded)
  useEffect(() => whenIdle(() => startTransition(() => setShown(true))), [])
  return shown
}
