import type { Ticket } from '#features/support/tickets/contract.ts'
import { SelectBox } from '#foundation/web/ui/selection.tsx'
import { m } from '#texts/messages.js'
import { chooseUpTo, toggle, useChosen } from './chosen.ts'

/** The box that selects a ticket. With Shift it selects all from the last one on. */
export function SelectTicket({ ticket, listed }: { ticket: Ticket; listed: readonly string[] }) {
  const { ids } = useChosen()
  return (
    <SelectBox
      key={ticket.id}
      label={m.desk_select({ number: String(ticket.number) })}
      isChosen={ids.has(ticket.id)}
      isSelecting={ids.size > 0}
      onToggle={(withShift) => (withShift ? chooseUpTo(ticket.id, listed) : toggle(ticket.id))}
    />
  )
}
