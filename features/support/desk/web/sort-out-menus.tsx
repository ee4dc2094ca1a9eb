import type { Ticket } from '#features/support/tickets/contract.ts'
import { priorities, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { ActionMenu } from './action-menu.tsx'
import { change } from './assign.ts'

/** The menu for the priority of the ticket (row K-01). */
export const PriorityMenu = ({ ticket }: { ticket: Ticket }) => (
  <Choice
    label={m.desk_priority()}
    values={priorities}
    chosen={ticket.priority}
    text={priorityText}
    onChoose={(priority) => void change(ticket, { priority })}
  />
)

/** The menu for the topic of the ticket (row K-01). */
export const TopicMenu = ({ ticket }: { ticket: Ticket }) => (
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
    <ActionMenu label={`${label}: ${text(chosen)}`} text={text(chosen)} later>
      {values.map((value) => (
        <MenuItem key={value} checked={value === chosen} onSelect={() => value !== chosen && onChoose(value)}>
          {text(value)}
        </MenuItem>
      ))}
    </ActionMenu>
  )
}
