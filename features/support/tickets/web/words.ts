import type { Ticket } from '#features/support/tickets/contract.ts'
import { type Priority, type Status, type Topic } from '#features/support/tickets/rules.ts'
import type { Tone } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** Names of statuses, topics and priorities on every page that shows a ticket. */
export const statusText = (status: Status): string => STATUSES[status].text()

export const statusTone = (status: Status): Tone => STATUSES[status].tone

export const topicText = (topic: Topic): string => TOPICS[topic]()

export const priorityText = (priority: Priority): string => PRIORITIES[priority]()

/** Returns the last message on one line, for lists. `own` is the text for a message of the reader's side: 'You: …'. */
export function lastWords(
  { last_message }: Pick<Ticket, 'last_message'>,
  own: { by_staff: boolean; text: (inputs: { text: string }) => string },
): string {
  if (!last_message) return ''
  const text = last_message.text || m.tickets_files_only()
  return last_message.by_staff === own.by_staff ? own.text({ text }) : text
}

const STATUSES: Readonly<Record<Status, { text: () => string; tone: Tone }>> = {
  opened: { text: m.tickets_status_opened, tone: 'accent' },
  'in-progress': { text: m.tickets_status_in_progress, tone: 'warning' },
  pending: { text: m.tickets_status_pending, tone: 'success' },
  closed: { text: m.tickets_status_closed, tone: 'neutral' },
}

const TOPICS: Readonly<Record<Topic, () => string>> = {
  technical: m.tickets_topic_technical,
  finances: m.tickets_topic_finances,
  finances_sales: m.tickets_topic_finances_sales,
  finances_chargeback: m.tickets_topic_finances_chargeback,
  miscellaneous: m.tickets_topic_miscellaneous,
  review: m.tickets_topic_review,
}

const PRIORITIES: Readonly<Record<Priority, () => string>> = {
  critical: m.tickets_priority_critical,
  high: m.tickets_priority_high,
  medium: m.tickets_priority_medium,
  low: m.tickets_priority_low,
  very_low: m.tickets_priority_very_low,
}
