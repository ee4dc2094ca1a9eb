import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import type { SlotKind } from '#foundation/contract.ts'
import { lazyPart, type LazyComponent } from './lazy-page.tsx'

/** A feature's component for a slot of another feature's page. It is loaded when the slot is shown, or before (`preloadSlots`). */
export type SlotEntry = { slot: string; component: LazyComponent<never> }

/** Makes an entry: `provideSlot(contract.hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard))`. */
export const provideSlot = <Props extends object>(
  { slot }: SlotKind<Props>,
  load: () => Promise<ComponentType<Props>>,
): SlotEntry => ({ slot, component: lazyPart(load) })

/** Adds components, before a page with their slots is shown. An entry that was added before is not added again. */
export function registerSlots(more: readonly SlotEntry[]): void {
  entries = [...new Set([...entries, ...more])]
}

/** Removes all entries. Tests begin with it, as a new document does. */
export const forgetSlots = (): void => void (entries = [])

/** Shows the components that other features added for a slot, in the order of the features; shows `waiting` while their code loads. */
export function Slot<Props extends object>({
  of,
  props,
  waiting = <Coming />,
}: {
  of: SlotKind<Props>
  props: Props
  waiting?: ReactNode
}) {
  return componentsFor<Props>(of).map((Component, index) => (
    // Entries are only added at the end, so an index always names the same component.
    // oxlint-disable-next-line react/no-array-index-key
    <Suspense key={index} fallback={waiting}>
      <Component {...props} />
    </Suspense>
  ))
}

/** Fetches the code for slots while the code of their page is fetched, and not after it. A failure is shown in the slot. */
export const preloadSlots = (...slots: readonly { slot: string }[]): Promise<unknown> =>
  Promise.allSettled(slots.flatMap((of) => componentsFor(of).map((component) => component.preload())))

let entries: readonly SlotEntry[] = []

// The cast is safe, because `provideSlot` takes only components with the properties of the slot.
function componentsFor<Props extends object>(of: { slot: string }): LazyComponent<Props>[]
function componentsFor({ slot }: { slot: string }): LazyComponent<never>[] {
  return entries.filter((entry) => entry.slot === slot).map(({ component }) => component)
}
