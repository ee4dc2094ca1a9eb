import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import SearchX from 'lucide-react/icons/search-x'
import { paths, settingsPaths } from '#features/paths.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { ButtonLink, TextLink, usePathValue } from '#foundation/web/navigation.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { CardsSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SettingsPage } from '#foundation/web/ui/settings-page.tsx'
import { m } from '#texts/messages.js'
import { callsOf, type Side } from './calls.ts'
import { titleOf } from './endpoint-text.ts'
import { WebhookPanel } from './webhook-panel.tsx'

const REFRESH_ms = 10_000
/** The heights of the webhook and its attempts; the column of the settings is narrower. */
const cardsOf = (side: Side) => [
  side === 'own' ? { phone: 472, wide: 340 } : { phone: 406, wide: 274 },
  { phone: 825, wide: 561 },
]

/** A webhook of the account. Mails about it lead here. */
export const WebhookPage = () => <WebhookOf side="own" />

/** A webhook of the operator. */
export const OperatorWebhookPage = () => <WebhookOf side="operator" />

function WebhookOf({ side }: { side: Side }) {
  const endpointId = usePathValue('webhookId')
  const query = useQuery({
    ...queryFor(callsOf(side).get, { params: { endpointId } }),
    refetchInterval: REFRESH_ms,
  })
  const [all, back] =
    side === 'own' ? [paths.api(), m.webhooks_back()] : [paths.operatorWebhooks(), m.webhooks_back_operator()]
  const page = (title: string, content: ReactNode) => {
    const heading = { title, description: <TextLink to={all}>{back}</TextLink> }
    return side === 'own' ? (
      <SettingsPage {...settingsPaths} {...heading}>
        {content}
      </SettingsPage>
    ) : (
      <Page {...heading}>{content}</Page>
    )
  }
  return (
    <LoadedPage
      query={query}
      title={m.webhooks_webhook()}
      failed={m.webhooks_page_failed()}
      waiting={<CardsSkeleton cards={cardsOf(side)} />}
      frame={(content) => page(m.webhooks_webhook(), content)}
      gone={
        <ErrorPage
          icon={<SearchX size={22} aria-hidden="true" />}
          title={m.webhooks_page_gone()}
          text={m.webhooks_page_gone_text()}
        >
          <ButtonLink to={all}>{back}</ButtonLink>
        </ErrorPage>
      }
    >
      {(endpoint) => page(titleOf(endpoint), <WebhookPanel side={side} endpoint={endpoint} />)}
    </LoadedPage>
  )
}
