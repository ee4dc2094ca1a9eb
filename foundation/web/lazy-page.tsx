import { CatchBoundary } from '@tanstack/react-router'
import { startTransition, use, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

/** The code of a page could not be fetched: the network is away, or a new version replaced the file (row R-17). */
export class PageLoadError extends Error {}

/** A component whose code is loaded on demand. `preload` fetches it, and fetches again after a failure. */
export type LazyComponent<Props = object> = {
  (props: Props): ReactNode
  preload: () => Promise<void>
  isLoaded: () => boolean
}

/** A whole page, for the router. If its code cannot be loaded, it throws a `PageLoadError`, and the error page is shown instead. */
export const lazyPage = <Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> => lazy(load, FailedPage)

/**
 * A part of a page. If its code cannot be loaded, or throws, an error takes its place, because the page around it may have a form half
 * filled in.
 */
export function lazyPart<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const Part = lazy(load, NotLoaded)
  const Guarded = (props: Props) => (
    <CatchBoundary getResetKey={oneKey} errorComponent={Thrown}>
      <Part {...props} />
    </CatchBoundary>
  )
  return Object.assign(Guarded, { preload: Part.preload, isLoaded: Part.isLoaded })
}

type Failed = { onRetry: () => void }

function FailedPage(): never {
  throw new PageLoadError('page code')
}

function NotLoaded({ onRetry }: Failed) {
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  })
  return <FailedPart text={m.ui_load_failed()} onRetry={onRetry} />
}

/** Another try draws from nothing what threw (rule 56: a translator or an extension may have changed what it had drawn). */
const Thrown = ({ reset }: { reset: () => void }) => <FailedPart text={m.ui_part_failed()} onRetry={reset} />
const oneKey = () => ''

function FailedPart({ text, onRetry }: Failed & { text: string }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-muted">
      <p>{text}</p>
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
  /** Returns the promise of the running or finished fetch, or begins one. The promise never rejects. */
  const attempt = (): Promise<void> => {
    if (latest) return latest
    const begun: Promise<void> = load()
      .then(
        (component) => {
          Loaded = localized(component)
        },
        (cause: unknown) => {
          failure = new PageLoadError('page code', { cause })
          // React renders a failed component again: if each rendering began a new fetch, the failure would never be shown.
          setTimeout(forget, SHOWN_ms)
        },
      )
      // With this property `use` reads the settled promise at once, instead of suspending for a tick.
      .then(() => void Object.assign(begun, { status: 'fulfilled' }))
    latest = begun
    return begun
  }
  const preload = async () => {
    forget()
    await attempt()
    if (failure) throw failure
  }
  function LazyComponent(props: Props) {
    // The fetch is kept in state: else each rendering of the page around a failed part would fetch again.
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

/** A failure is kept for this time, in which React renders it; a rendering after it fetches again. */
const SHOWN_ms = 3000

/** True once the code of a part is loaded. It is fetched after the page has shown, and again when the network is back. */
export function useLoaded({ preload, isLoaded }: Pick<LazyComponent, 'preload' | 'isLoaded'>): boolean {
  const [there, setThere] = useState(isLoaded)
  useEffect(() => {
    // A failure is ignored, because the page works without the part.
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
 * True once the page has shown and the browser is idle, for parts below the first view, which are rendered only then. True at once if
 * `isLoaded()`, so that a later visit shows the whole page at once.
 */
export function useShown(isLoaded = () => false): boolean {
  const [shown, setShown] = useState(isLoaded)
  useEffect(() => whenIdle(() => startTransition(() => setShown(true))), [])
  return shown
}
