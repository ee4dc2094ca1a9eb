import type { Priority } from '#features/support/tickets/rules.ts'
import { priorityText } from '#features/support/tickets/web/words.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'

/** The priority in words; urgent priorities have a colour, too. */
export function PriorityMark({ priority }: { priority: Priority }) {
  return <Badge tone={PRESSING[priority]}>{priorityText(priority)}</Badge>
}

const PRESSING: Readonly<Record<Priority, Tone>> = {
  critical: 'danger',
  high: 'warning',
  medium: 'neutral',
  low: 'neutral',
  very_low: 'neutral',
}
