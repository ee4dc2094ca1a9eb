import { paths } from '#features/paths.ts'
import { financesPaidFor } from '#features/finance/slots.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The page sets its title itself, because everybody loads the texts of this list, before they sign in. */
export const routes: readonly PageRoute[] = [
  {
    path: paths.paidFor.pattern,
    page: () => import('./paid-for-page.tsx').then((file) => file.PaidForPage),
  },
]

export const slots: readonly SlotEntry[] = [
  provideSlot(financesPaidFor, () => import('./paid-for-page.tsx').then((file) => file.PaidFor)),
]

export const live = () => import('./live.ts').then((file) => file.live)
