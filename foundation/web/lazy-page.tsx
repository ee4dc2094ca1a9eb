import { use } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { localized } from '#foundation/web/i18n/localized.tsx'

/** The code of a page could not be fetched: the network is away, or a new version replaced the file (row R-17). */
export class PageLoadError extends Error {}

export type LazyPage<Props = object> = { (props: Props): ReactNode; preload: () => Promise<void> }

/**
 * A component whose code comes when it is needed. `preload` fetches it; a failure is forgotten, so that the next try
 * fetches again. Once there, it renders at once, without a flash of nothing.
 */
export function lazyPage<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPage<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined

  const preload = (): Promise<void> => {
    loading ??= load().then(
      (component) => {
        Loaded = localized(component)
      },
      (cause: unknown) => {
        loading = undefined
        throw new PageLoadError('page code', { cause })
      },
    )
    return loading
  }
  function LazyPage(props: Props) {
    if (!Loaded) use(preload())
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(LazyPage, { preload })
}
