import type { Acts } from '#features/support/tickets/shapes.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { formatDateTime, formatDuration } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'

/** Returns acts in words, in the order in which they are done. `colleagues` gives the names of assignees. */
export function actTexts(acts: Acts, colleagues: readonly { id: string; name: string }[]): string[] {
  const { priority, topic, add_tags = [], remove_tags = [], assignee, status, snooze } = acts
  const texts = [
    priority && m.desk_act_priority({ priority: priorityText(priority) }),
    topic && m.desk_act_topic({ topic: topicText(topic) }),
    add_tags.length > 0 && m.desk_act_tags({ tags: add_tags.join(', ') }),
    remove_tags.length > 0 && m.desk_act_untag({ tags: remove_tags.join(', ') }),
    assignee && assigneeText(assignee, colleagues),
    status === 'closed' && m.desk_act_close(),
    status === 'open' && m.desk_act_open(),
    snooze && snoozeText(snooze),
  ]
  return texts.filter((text) => typeof text === 'string' && text !== '').map(String)
}

function assigneeText(assignee: string, colleagues: readonly { id: string; name: string }[]): string {
  if (assignee === 'me') return m.desk_act_assign_me()
  if (assignee === 'none') return m.desk_act_give_back()
  const colleague = colleagues.find(({ id }) => id === assignee)
  return colleague ? m.desk_act_assign({ name: colleague.name }) : m.desk_act_assign_gone()
}

function snoozeText({ hours, until }: NonNullable<Acts['snooze']>): string {
  if (until !== undefined) return m.desk_snoozed_until({ time: formatDateTime(until) })
  return hours === undefined
    ? m.desk_act_snooze_answer()
    : m.desk_act_snooze({ time: formatDuration(hours * 3600) })
}

export const hasActs = (acts: object): boolean => Object.keys(acts).length > 0
