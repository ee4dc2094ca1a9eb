import type { Endpoint } from '#features/webhooks/contract.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

type State = Endpoint['state'] | 'failing'

const TONES: Readonly<Record<State, Tone>> = {
  enabled: 'success',
  failing: 'warning',
  paused: 'neutral',
  disabled: 'danger',
}
const TEXTS: Readonly<Record<State, () => string>> = {
  enabled: () => m.webhooks_state_enabled(),
  failing: () => m.webhooks_state_failing(),
  paused: () => m.webhooks_state_paused(),
  disabled: () => m.webhooks_state_disabled(),
}

/** The state of an endpoint in one word. */
export const StateBadge = ({ endpoint }: { endpoint: Endpoint }) => (
  <Badge tone={TONES[shownState(endpoint)]}>{stateText(endpoint)}</Badge>
)

/** The word of the badge. */
export const stateText = (endpoint: Endpoint): string => TEXTS[shownState(endpoint)]()

const shownState = ({ state, failing_since }: Endpoint): State =>
  state === 'enabled' && failing_since !== null ? 'failing' : state
