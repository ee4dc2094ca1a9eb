import type { PayoutState } from '#features/payouts/rules.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

export const stateTexts: Record<PayoutState, () => string> = {
  requested: m.payouts_state_requested,
  sent: m.payouts_state_sent,
  failed: m.payouts_state_failed,
  returned: m.payouts_state_returned,
}

const tones = { requested: 'neutral', sent: 'success', failed: 'danger', returned: 'danger' } as const

export const StateBadge = ({ state }: { state: PayoutState }) => (
  <Badge tone={tones[state]}>{stateTexts[state]()}</Badge>
)
