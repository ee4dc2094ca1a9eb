import { priorities, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { formatDuration } from '#foundation/web/i18n/format.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import type { FlatActs } from './macro-acts.ts'
import { useColleagues } from './hooks.ts'

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
