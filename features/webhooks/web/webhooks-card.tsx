import Plus from 'lucide-react/icons/plus'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import type { Side } from './calls.ts'
import { EndpointList } from './endpoint-list.tsx'
import { OperatorTable } from './operator-table.tsx'

const NewWebhook = lazyPart(() => import('./new-webhook.tsx').then((file) => file.NewWebhook))

/** The webhooks of the account, on the page of the API. */
export const WebhooksCard = () => <Webhooks side="own" />

/** The endpoints of a side, and the button that makes another. */
export function Webhooks({ side }: { side: Side }) {
  const made = useLazyDialog(NewWebhook)
  return (
    <Card
      title={m.webhooks_title()}
      description={side === 'own' ? m.webhooks_text() : m.webhooks_operator_text()}
      footer={
        side === 'own' ? (
          <a
            href="/api/docs/webhooks/"
            target="_blank"
            rel="noreferrer"
            className="rounded-sm py-0.5 text-accent-text underline underline-offset-2"
          >
            {m.webhooks_guide()}
          </a>
        ) : undefined
      }
      actions={
        <Button icon={<Plus size={15} aria-hidden="true" />} {...made.opener}>
          {m.webhooks_new()}
        </Button>
      }
    >
      {side === 'own' ? <EndpointList /> : <OperatorTable />}
      {made.open ? <NewWebhook {...made.dialog} side={side} /> : null}
    </Card>
  )
}
