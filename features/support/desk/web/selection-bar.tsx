import { useEffect } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { useHotkeys } from '#foundation/web/hotkeys.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useErrorTexts } from '#foundation/web/i18n/use-error-texts.ts'
import { SelectionFrame } from '#foundation/web/ui/selection.tsx'
import { m } from '#texts/messages.js'
import { MOST_TICKETS } from '#features/support/desk/rules.ts'
import { choose, chooseUpTo, toggle, useChosen, type Failure } from './chosen.ts'
import { SelectionActs } from './selection-acts.tsx'

/** The acts for the selected tickets. A ticket that has left the list, by a filter or in another tab, is not selected any more. */
export function SelectionBar({ tickets }: { tickets: readonly Ticket[] }) {
  const { ids, failures } = useChosen()
  const selected = tickets.filter(({ id }) => ids.has(id))
  const listed = tickets.map(({ id }) => id)
  useEffect(() => () => choose([]), [])
  useHotkeys({
    x: () => atRow(listed, toggle),
    X: () => atRow(listed, (id) => chooseUpTo(id, listed)),
  })
  if (selected.length === 0 && failures.length === 0) return null
  return (
    <SelectionFrame
      label={m.desk_selection()}
      count={m.desk_selected({ count: selected.length })}
      all={m.desk_select_all()}
      none={m.desk_select_none()}
      onAll={() => choose(listed)}
      onNone={() => choose([])}
      above={<Failed failures={failures} />}
    >
      {selected.length > MOST_TICKETS ? (
        <p className="text-muted">{m.desk_select_most({ count: MOST_TICKETS })}</p>
      ) : selected.length > 0 ? (
        <SelectionActs tickets={selected} />
      ) : null}
    </SelectionFrame>
  )
}

/** Calls a function for the ticket whose row has the focus. */
function atRow(listed: readonly string[], run: (id: string) => void): void {
  const row = document.activeElement?.closest('li')
  const id = row?.dataset['ticket']
  if (id !== undefined && listed.includes(id)) run(id)
}

/** The tickets on which an act could not be done, each with its reason. */
function Failed({ failures }: { failures: readonly Failure[] }) {
  const hasTexts = useErrorTexts(failures.length > 0)
  if (failures.length === 0 || !hasTexts) return null
  return (
    <div role="alert" className="w-full">
      <p className="font-medium text-danger-text">{m.desk_several_failed({ count: failures.length })}</p>
      <ul className="max-h-48 overflow-y-auto">
        {failures.map(({ id, number, subject, code }) => (
          <li key={id}>
            <span>#{number}</span> <bdi>{subject}</bdi>: <span>{errorText({ code })}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
