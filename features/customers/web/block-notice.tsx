import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { causeTexts, levelTexts } from './access-texts.ts'
import { useAccount } from './hooks.ts'

/** The notice that staff must read before anything else: the account is blocked or locked. */
export function BlockNotice({ card: { id } }: { card: CustomerCard }) {
  const { data, error } = useAccount(id)
  if (!data) return <Coming of={{ error }} />
  const { block } = data
  if (!block) return null
  const { level, cause, reason, message, by, at } = block
  return (
    <Alert tone={level === 'locked' ? 'danger' : 'warning'}>
      <p className="font-medium">
        {m.customers_blocked_since({
          state: levelTexts[level](),
          date: formatDateTime(at),
          by: by ?? m.customers_command_line(),
        })}
      </p>
      <p dir="auto" className="[overflow-wrap:anywhere]">
        {causeTexts[cause]()}: {reason}
      </p>
      {message ? (
        <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          {m.customers_block_said({ message })}
        </p>
      ) : null}
    </Alert>
  )
}
