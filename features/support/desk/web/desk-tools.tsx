import X from 'lucide-react/icons/x'
import { priorities, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { isGone } from '#foundation/web/ui/loaded.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { m } from '#texts/messages.js'
import { useColleagues, useCustomer, useTags } from './hooks.ts'
import { useFilterWords } from './filter-words.ts'
import { FilterMenu, filterTrigger } from './filter-menu.tsx'
import type { DeskChange, DeskFilter } from './filter.ts'
import { ViewsMenu } from './views-menu.tsx'

type Props = { filter: DeskFilter; onChange: (change: DeskChange) => void }

/** Search and filters above the list. */
export function DeskTools({ filter, onChange }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={m.desk_search()}
        placeholder={m.desk_search_placeholder()}
        value={filter.q ?? ''}
        onSearch={(q) => onChange({ q })}
      />
      {/* On a phone the filters are one line that scrolls sideways, so that they do not fill the first screen. */}
      <div className="flex gap-2 max-sm:-m-1 max-sm:w-[calc(100%+0.5rem)] max-sm:overflow-x-auto max-sm:p-1">
        <ViewsMenu filter={filter} />
        <LateFilter filter={filter} onChange={onChange} />
        <FilterMenu
          label={m.desk_topic()}
          any={m.desk_any_topic()}
          options={topics.map((value) => ({ value, label: topicText(value) }))}
          chosen={filter.topic}
          onChoose={(topic) => onChange({ topic })}
        />
        <FilterMenu
          label={m.desk_priority()}
          any={m.desk_any_priority()}
          options={priorities.map((value) => ({ value, label: priorityText(value) }))}
          chosen={filter.priority}
          onChoose={(priority) => onChange({ priority })}
        />
        {filter.tab === 'incoming' && filter.assignee === undefined ? null : (
          <AssigneeFilter filter={filter} onChange={onChange} />
        )}
        <TagFilter filter={filter} onChange={onChange} />
        {filter.customer === undefined ? null : (
          <CustomerChip userId={filter.customer} onRemove={() => onChange({ customer: undefined })} />
        )}
      </div>
    </div>
  )
}

function AssigneeFilter({ filter, onChange }: Props) {
  const { data } = useColleagues()
  const words = useFilterWords()
  const me = storedSession.user()?.id
  const others = data?.items.flatMap(({ id }) => (id === me ? [] : [id])) ?? []
  return (
    <FilterMenu
      label={m.desk_assignee()}
      any={m.desk_any_assignee()}
      options={withChosen(['me', 'none', ...others], filter.assignee).map((value) => ({
        value,
        label: words.assignee(value),
      }))}
      chosen={filter.assignee}
      onChoose={(assignee) => onChange({ assignee })}
    />
  )
}

function TagFilter({ filter, onChange }: Props) {
  const { data } = useTags()
  const words = useFilterWords()
  const names = data?.items.map(({ name }) => name) ?? []
  return (
    <FilterMenu
      label={m.desk_tag()}
      any={m.desk_any_tag()}
      options={withChosen(names, filter.tag).map((value) => ({ value, label: words.tag(value) }))}
      chosen={filter.tag}
      onChoose={(tag) => onChange({ tag })}
    />
  )
}

/** A press shows the tickets alone that are later than promised, another one all again. */
function LateFilter({ filter: { late }, onChange }: Props) {
  const inForce = late !== undefined
  return (
    <button
      type="button"
      aria-pressed={inForce}
      title={m.desk_late_text()}
      onClick={() => onChange({ late: inForce ? undefined : 'yes' })}
      className={filterTrigger(inForce)}
    >
      <span>{m.desk_late()}</span>
      {inForce ? <X size={14} aria-hidden="true" /> : null}
    </button>
  )
}

/** Returns the values with the chosen one, which may be gone by now: a filter that is in force is always in sight. */
const withChosen = (values: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || values.includes(chosen) ? values : [chosen, ...values]

/** The filter for one customer's tickets: names the customer; a click removes the filter. */
function CustomerChip({ userId, onRemove }: { userId: string; onRemove: () => void }) {
  const { data, error } = useCustomer(userId)
  const unknown = isGone(error) ? m.desk_customer_gone() : m.desk_card()
  const name = data ? data.name || data.email : unknown
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={m.desk_remove_customer({ name })}
      className="inline-flex h-8 shrink-0 cursor-pointer items-center gap-1.5 rounded-full bg-accent-soft px-3 text-sm font-medium text-accent-text"
    >
      {name}
      <X size={14} aria-hidden="true" />
    </button>
  )
}
