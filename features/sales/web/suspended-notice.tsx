import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
import { suspensionTexts } from '#features/licences/texts.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

type Suspended = NonNullable<Host['licence']['suspended']>

/** The notice since when and why a server may not run, and what its owner can do. */
export function SuspendedNotice({ suspended: { since, reason, text } }: { suspended: Suspended }) {
  const isMoney = reason === 'charge_back' || reason === 'debt'
  return (
    <Alert tone="danger">
      <div className="flex flex-col gap-1">
        <p className="font-medium">{m.sales_suspended_title({ date: formatDateTime(since) })}</p>
        <p>{suspensionTexts[reason]()}</p>
        {text ? (
          <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
            {text}
          </p>
        ) : null}
        <p>{m.sales_suspended_clock()}</p>
        <p>
          <TextLink to={isMoney ? paths.finances() : paths.tickets()}>
            {isMoney ? m.licences_suspended_top_up() : m.sales_suspended_contact()}
          </TextLink>
        </p>
      </div>
    </Alert>
  )
}
