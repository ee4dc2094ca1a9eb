import { financesActs, financesInvoices, financesPayouts } from '#features/finance/slots.ts'
import { balanceAtStake } from '#features/profile/slots.ts'
import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { preloadSlots, provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.finances.pattern,
    page: () => import('./finances-page.tsx').then((file) => file.FinancesPage),
    title: m.shell_finances,
    prefetch: () =>
      Promise.all([
        preloadSlots(financesInvoices, financesActs, financesPayouts),
        import('./hooks.ts').then((file) => file.prefetchFinances()),
      ]),
  },
]

export const slots: readonly SlotEntry[] = [
  provideSlot(balanceAtStake, () => import('./balance-at-stake.tsx').then((file) => file.BalanceAtStake)),
]

export const live = () => import('./live.ts').then((file) => file.live)
