import { startTransition, use, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'

/** The code of a page could not be fetched: the network is away, or a new version replaced the file (row R-17). */
export class PageLoadError extends Error {}

export type LazyPage<Props = object> = {
  (props: Props): ReactNode
  preload: () => Promise<void>
  isLoaded: () => boolean
}

/**
 * A component whose code comes when it is needed. `preload` fetches it; a failure is forgotten, so that the next try fetches again. Once
 * its code is there, the component renders at once, without a flash of nothing.
 */
export function lazyPage<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPage<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  let failure: PageLoadError | undefined

  const preload = (): Promise<void> => {
    if (loading) return loading
    const begun = load().then(
      (component) => {
        Loaded = localized(component)
        // The status tells React without waiting for a tick that there is nothing to wait for.
        void Object.assign(begun, { status: 'fulfilled', value: undefined })
      },
      (cause: unknown) => {
        loading = undefined
        failure = new PageLoadError('page code', { cause })
        setTimeout(() => (failure = undefined), SHOWN_ms)
        throw failure
      },
    )
    loading = begun
    return begun
  }
  function LazyPage(props: Props) {
    // React renders a failed component again: with a new fetch each time it would never show the failure.
    if (!loading && failure) throw failure
    use(preload())
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(LazyPage, { preload, isLoaded: () => Loaded !== undefined })
}

/** The time in which a render finds the failure of the fetch that it waited for; a later render fetches again. */
const SHOWN_ms = 3000

/** True once the code of the part is there. The code is fetched after the page has shown, if not before, and again when the network is back. */
export function useLoaded({ preload, isLoaded }: Pick<LazyPage, 'preload' | 'isLoaded'>): boolean {
  const [there, setThere] = useState(isLoaded)
  useEffect(() => {
    let gone = false
    const load = () => {
      // A failure is ignored: the page works without the part.
      preload().then(
        () => !gone && setThere(true),
        () => undefined,
      )
    }
    const callOff = whenIdle(load)
    window.addEventListener('online', load)
    return () => {
      gone = true
      callOff()
      window.removeEventListener('online', load)
    }
  }, [preload])
  return there
}

/**
 * True once the page has shown and the browser has nothing better to do: for parts below the first view, which are rendered then, and whose
 * failure to load is that of their page (row R-17). True at once where `isLoaded`, so that a later visit shows the whole page at once.
 */
export function useShown(isLoaded = () => false): boolean {
  const [shown, setShown] = useState(isLoaded)
  useEffect(() => whenIdle(() => startTransition(() => setShown(true))), [])
  return shown
}
