import { Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import type { SlotKind } from '#foundation/contract.ts'
import { lazyPart, type LazyComponent } from './lazy-page.tsx'

/** A feature's component for a slot of another feature's page; it is loaded when the slot is shown, or prefetched with its page. */
export type SlotEntry = { slot: string; component: LazyComponent<never> }

/** `provideSlot(contract.hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard))`. */
export const provideSlot = <Props extends object>(
  { slot }: SlotKind<Props>,
  load: () => Promise<ComponentType<Props>>,
): SlotEntry => ({ slot, component: lazyPart(load) })

/** Adds components of features, before a page that has their slots is shown; a component that is there already is not added again. */
export function registerSlots(more: readonly SlotEntry[]): void {
  entries = [...new Set([...entries, ...more])]
}

/** Forgets all added components, as a page that starts anew does. */
export const forgetSlots = (): void => void (entries = [])

/** Shows the components that other features added for a slot, in the order of the features; `waiting` while their code is on the way. */
export function Slot<Props extends object>({
  of,
  props,
  waiting = null,
}: {
  of: SlotKind<Props>
  props: Props
  waiting?: ReactNode
}) {
  return componentsFor<Props>(of).map((Component, index) => (
    // The list never changes while pages are shown.
    // oxlint-disable-next-line react/no-array-index-key
    <Suspense key={index} fallback={waiting}>
      <Component {...props} />
    </Suspense>
  ))
}

/** Fetches the code for slots beside the code of their page, not after it. A failure is shown when the slot is. */
export const preloadSlots = (...slots: readonly { slot: string }[]): Promise<unknown> =>
  Promise.allSettled(slots.flatMap((of) => componentsFor(of).map((component) => component.preload())))

let entries: readonly SlotEntry[] = []

// `provideSlot` takes components of the slot's own properties only.
function componentsFor<Props extends object>(of: { slot: string }): LazyComponent<Props>[]
function componentsFor({ slot }: { slot: string }): LazyComponent<never>[] {
  return entries.filter((entry) => entry.slot === slot).map(({ component }) => component)
}
