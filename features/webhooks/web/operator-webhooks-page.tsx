import { useTitle } from '#foundation/web/title.ts'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { Webhooks } from './webhooks-card.tsx'

/** The webhooks of the operator, for staff. */
export function OperatorWebhooksPage() {
  useTitle(m.webhooks_title())
  return (
    <Page title={m.webhooks_title()}>
      <Webhooks side="operator" />
    </Page>
  )
}
