import type { CannedReply, updateReply } from '#features/support/desk/contract.ts'
import { priorities, tagOf, topics } from '#features/support/tickets/rules.ts'
import type { InputOf } from '#foundation/contract.ts'
import { oneOf } from '#foundation/web/url-filter.ts'

/** The acts of a macro as texts of a form, each under a name of its own, so that two tabs that change two of them both win. */
export type FlatActs = Record<
  'priority' | 'topic' | 'add_tags' | 'remove_tags' | 'assignee' | 'status' | 'snooze',
  string
>

type MacroActs = CannedReply['acts']

export const flatActs = (acts: MacroActs): FlatActs => ({
  priority: acts.priority ?? '',
  topic: acts.topic ?? '',
  add_tags: (acts.add_tags ?? []).join(', '),
  remove_tags: (acts.remove_tags ?? []).join(', '),
  assignee: acts.assignee ?? '',
  status: acts.status ?? '',
  snooze: acts.snooze ? String(acts.snooze.hours ?? 'answer') : '',
})

type Change = NonNullable<NonNullable<InputOf<typeof updateReply>['body']>['acts']>

/** Returns changed texts of a form as acts; null takes an act away. */
export function actsFrom(flat: Partial<FlatActs>): Change {
  const { priority, topic, add_tags, remove_tags, assignee, status, snooze } = flat
  return {
    ...(priority === undefined ? {} : { priority: oneOf(priorities)(priority) ?? null }),
    ...(topic === undefined ? {} : { topic: oneOf(topics)(topic) ?? null }),
    ...(add_tags === undefined ? {} : { add_tags: tagsOf(add_tags) }),
    ...(remove_tags === undefined ? {} : { remove_tags: tagsOf(remove_tags) }),
    ...(assignee === undefined ? {} : { assignee: assignee || null }),
    ...(status === undefined ? {} : { status: oneOf(['closed', 'open'])(status) ?? null }),
    ...(snooze === undefined ? {} : { snooze: snoozeOf(snooze) }),
  }
}

/** Returns the acts of a new macro: what is left empty is not done. */
export function newActs(fields: { text: (name: string) => string }): MacroActs {
  const { priority, topic, add_tags, remove_tags, assignee, status, snooze } = actsFrom(
    flatFrom((name) => fields.text(name)),
  )
  return {
    ...(priority && { priority }),
    ...(topic && { topic }),
    ...(add_tags && { add_tags }),
    ...(remove_tags && { remove_tags }),
    ...(assignee && { assignee }),
    ...(status && { status }),
    ...(snooze && { snooze }),
  }
}

const flatFrom = (read: (name: string) => string): FlatActs => ({
  priority: read('priority'),
  topic: read('topic'),
  add_tags: read('add_tags'),
  remove_tags: read('remove_tags'),
  assignee: read('assignee'),
  status: read('status'),
  snooze: read('snooze'),
})

const tagsOf = (text: string): string[] | null => {
  const tags = text.split(',').flatMap((typed) => tagOf(typed) ?? [])
  return tags.length > 0 ? tags : null
}

const snoozeOf = (text: string) => (text === '' ? null : text === 'answer' ? {} : { hours: Number(text) })
