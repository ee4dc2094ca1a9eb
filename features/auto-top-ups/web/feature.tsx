import { financesAutoTopUp } from '#features/finance/slots.ts'
import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.allowCharge.pattern,
    page: () => import('./allow-charge-page.tsx').then((file) => file.AllowChargePage),
    title: () => m.auto_top_ups_pay_title(),
  },
]

export const slots: readonly SlotEntry[] = [
  provideSlot(financesAutoTopUp, () => import('./auto-top-up-card.tsx').then((file) => file.AutoTopUpCard)),
]

export const live = () => import('./live.ts').then((file) => file.live)
