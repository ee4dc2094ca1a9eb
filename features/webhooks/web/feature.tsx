import { paths } from '#features/paths.ts'
import { apiParts } from '#features/sharing/slots.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.webhook.pattern,
    page: () => import('./webhook-page.tsx').then((file) => file.WebhookPage),
    title: m.webhooks_webhook,
  },
]

/** The slot filled by webhooks: the endpoints of the account, on the page of the API. */
export const slots: readonly SlotEntry[] = [
  provideSlot(apiParts, () => import('./webhooks-card.tsx').then((file) => file.WebhooksCard)),
]

export const live = () => import('./live.ts').then((file) => file.live)
