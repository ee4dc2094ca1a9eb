import type { Ticket } from '#features/support/tickets/contract.ts'
import { priorities, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { MenuGroup, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { change } from './assign.ts'

/** The priorities, in the menu of the ticket (row K-01). */
export const Priorities = ({ ticket }: { ticket: Ticket }) => (
  <Choice
    label={m.desk_priority()}
    values={priorities}
    chosen={ticket.priority}
    text={priorityText}
    onChoose={(priority) => void change(ticket, { priority })}
  />
)

/** The topics, in the menu of the ticket (row K-01). */
export const Topics = ({ ticket }: { ticket: Ticket }) => (
  <Choice
    label={m.desk_topic()}
    values={topics}
    chosen={ticket.topic}
    text={topicText}
    onChoose={(topic) => void change(ticket, { topic })}
  />
)

type Props<Value extends string> = {
  label: string
  values: readonly Value[]
  chosen: Value
  text: (value: Value) => string
  onChoose: (value: Value) => void
}

function Choice<Value extends string>({ label, values, chosen, text, onChoose }: Props<Value>) {
  return (
    <MenuGroup label={label}>
      {values.map((value) => (
        <MenuItem key={value} checked={value === chosen} onSelect={() => value !== chosen && onChoose(value)}>
          {text(value)}
        </MenuItem>
      ))}
    </MenuGroup>
  )
}
