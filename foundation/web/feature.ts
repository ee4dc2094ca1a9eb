import type { PageRoute, StaffPageRoute } from './pages.ts'
import type { LiveReaction } from './realtime/subscriptions.ts'
import type { SlotEntry } from './slots.tsx'

/** All that a feature's web/feature.tsx may export; app/web reads it. The first page waits for this file, so whatever it can it imports late. */
export type WebFeature = {
  routes?: readonly PageRoute[]
  /** Components for slots of other features' pages, in the order of the features. */
  slots?: readonly SlotEntry[]
  /** Loads the reactions to live events: `() => import('./live.ts').then((file) => file.live)`. */
  live?: () => Promise<readonly LiveReaction[]>
}

/** All that a feature's web/staff-feature.tsx may export: what staff alone see. Nobody's first page waits for this file. */
export type StaffWebFeature = {
  routes?: readonly StaffPageRoute[]
  slots?: readonly SlotEntry[]
  live?: readonly LiveReaction[]
}
