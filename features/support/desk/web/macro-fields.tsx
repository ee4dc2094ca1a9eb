import type { CannedReply, updateReply } from '#features/support/desk/contract.ts'
import { priorities, tagOf, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import type { InputOf } from '#foundation/contract.ts'
import { oneOf } from '#foundation/web/url-filter.ts'
import { formatDuration } from '#foundation/web/i18n/format.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useColleagues } from './hooks.ts'

/** The acts of a macro as texts of a form, each under a name of its own, so that two tabs that change two of them both win. */
type FlatActs = Record<
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

const HOURS = [3, 24, 72, 168]

/** The acts after a canned reply; each may be left out. */
export function MacroFields({ acts }: { acts: FlatActs }) {
  const colleagues = useColleagues().data?.items ?? []
  const isGone = acts.assignee !== '' && !['me', 'none'].includes(acts.assignee)
  const known = colleagues.some(({ id }) => id === acts.assignee)
  const none = m.desk_macro_unchanged()
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-semibold">{m.desk_macro_acts()}</legend>
      <p className="text-sm text-muted">{m.desk_macro_hint()}</p>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          name="priority"
          label={m.desk_priority()}
          empty={none}
          defaultValue={acts.priority}
          options={priorities.map((value) => ({ value, label: priorityText(value) }))}
        />
        <SelectField
          name="topic"
          label={m.desk_topic()}
          empty={none}
          defaultValue={acts.topic}
          options={topics.map((value) => ({ value, label: topicText(value) }))}
        />
        <SelectField
          name="assignee"
          label={m.desk_assignee()}
          empty={none}
          defaultValue={acts.assignee}
          key={colleagues.length}
          options={[
            { value: 'me', label: m.desk_macro_whoever() },
            { value: 'none', label: m.desk_give_back() },
            ...colleagues.map(({ id, name }) => ({ value: id, label: name })),
            ...(isGone && !known ? [{ value: acts.assignee, label: m.desk_act_assign_gone() }] : []),
          ]}
        />
        <SelectField
          name="status"
          label={m.desk_macro_status()}
          empty={none}
          defaultValue={acts.status}
          options={[
            { value: 'closed', label: m.desk_act_close() },
            { value: 'open', label: m.desk_act_open() },
          ]}
        />
        <SelectField
          name="snooze"
          label={m.desk_snooze()}
          empty={none}
          defaultValue={acts.snooze}
          options={[
            ...HOURS.map((hours) => ({ value: String(hours), label: formatDuration(hours * 3600) })),
            ...otherHours(acts.snooze),
            { value: 'answer', label: m.desk_snooze_answer() },
          ]}
        />
      </div>
      <TextField
        name="add_tags"
        label={m.desk_macro_tags()}
        defaultValue={acts.add_tags}
        autoComplete="off"
      />
      <TextField
        name="remove_tags"
        label={m.desk_macro_untag()}
        hint={m.desk_macro_commas()}
        defaultValue={acts.remove_tags}
        autoComplete="off"
      />
    </fieldset>
  )
}

/** The hours of a macro that a robot made, which the form does not offer by itself. */
const otherHours = (text: string): { value: string; label: string }[] =>
  /^\d+$/.test(text) && !HOURS.includes(Number(text))
    ? [{ value: text, label: formatDuration(Number(text) * 3600) }]
    : []
