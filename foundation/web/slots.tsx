import { Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import type { PlaceKind } from '#foundation/contract.ts'
import { lazyPage, type LazyPage } from './lazy-page.tsx'

/** What a feature puts into a place of another's page; it is loaded when the place is shown, or prefetched with its page. */
export type Filling = { place: string; component: LazyPage<never> }

/** `fill(contract.hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard))`. */
export const fill = <Props extends object>(
  { place }: PlaceKind<Props>,
  load: () => Promise<ComponentType<Props>>,
): Filling => ({ place, component: lazyPage(load) })

/** Tells the fillings of all features, once, before the first page. */
export function fillPlaces(all: readonly Filling[]): void {
  fillings = all
}

/** Shows what others put here, in the order of the features; `waiting` while its code is on the way. */
export function Place<Props extends object>({
  of,
  props,
  waiting = null,
}: {
  of: PlaceKind<Props>
  props: Props
  waiting?: ReactNode
}) {
  return fillingsOf<Props>(of).map((Component, index) => (
    // The list never changes while pages are shown.
    // oxlint-disable-next-line react/no-array-index-key
    <Suspense key={index} fallback={waiting}>
      <Component {...props} />
    </Suspense>
  ))
}

/** Fetches the code for places beside the code of their page, not after it. A failure is told when the place is shown. */
export const preloadPlaces = (...places: readonly { place: string }[]): Promise<unknown> =>
  Promise.allSettled(places.flatMap((of) => fillingsOf(of).map((component) => component.preload())))

let fillings: readonly Filling[] = []

const fillingsOf = <Props extends object>({ place }: { place: string }): LazyPage<Props>[] =>
  fillings.filter((filling) => filling.place === place).map(({ component }) => component as LazyPage<Props>)
