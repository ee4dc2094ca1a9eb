import Inbox from 'lucide-react/icons/inbox'
import type { ComponentType } from 'react'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'

export const TicketsStaffPage = () => (
  <PageToCome
    icon={Inbox}
    heading={m.shell_tickets()}
    title={m.soon_staff_title()}
    text={m.soon_staff_text()}
  />
)

type Props = {
  icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>
  heading: string
  title: string
  text: string
  back?: string
}

function PageToCome({ icon: Icon, heading, title, text, back }: Props) {
  return (
    <Page title={heading}>
      <EmptyState
        icon={<Icon size={20} aria-hidden="true" />}
        title={title}
        action={back === undefined ? null : <ButtonLink to={back}>{m.ui_back()}</ButtonLink>}
      >
        {text}
      </EmptyState>
    </Page>
  )
}
