import { paths } from '#features/paths.ts'
import type { Approval } from '#features/approvals/contract.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useErrorTexts } from '#foundation/web/i18n/use-error-texts.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { textOfAct, statusTexts, statusTones } from './approval-texts.ts'
import { codeOf } from './failure.ts'

/** The row of a decided action: the outcome, the member who decided, and their note. */
export function DecidedRow({ approval }: { approval: Approval }) {
  const { customer, status, decided_by, decided_at, note, proposed_by, proposed_at, failure } = approval
  const reason = useFailureText(failure)
  const asked = m.approvals_asked_by({ name: proposed_by.name, time: formatDateTime(proposed_at) })
  const at = decided_at === null ? '' : formatDateTime(decided_at)
  const decided = decided_by ? m.approvals_decided_by({ name: decided_by.name, time: at }) : at
  return (
    <ListRow
      title={
        <span>
          <span>{textOfAct(approval)}</span>{' '}
          {customer ? (
            <TextLink data-row to={paths.customer(customer.id)}>
              <bdi>{m.approvals_for({ name: customer.name })}</bdi>
            </TextLink>
          ) : null}
        </span>
      }
      badge={<Badge tone={statusTones[status]}>{statusTexts[status]()}</Badge>}
      detail={[asked, decided, ...(note ? [m.ui_quoted({ text: note })] : []), ...reason].join(' · ')}
    />
  )
}

/** Returns the text of the error that made an approved action fail, as a list; empty until the error texts have loaded. */
function useFailureText(failure: string | null): string[] {
  const loaded = useErrorTexts(failure !== null)
  return failure !== null && loaded ? [errorText({ code: codeOf(failure) })] : []
}
