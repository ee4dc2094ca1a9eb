import Webhook from 'lucide-react/icons/webhook'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.operatorWebhooks.pattern,
    page: () => import('./operator-webhooks-page.tsx').then((file) => file.OperatorWebhooksPage),
    staffOnly: 'webhooks.manage',
    menu: { text: m.webhooks_title, icon: Webhook, group: 'installation' },
  },
  {
    path: paths.operatorWebhook.pattern,
    page: () => import('./webhook-page.tsx').then((file) => file.OperatorWebhookPage),
    staffOnly: 'webhooks.manage',
  },
]
