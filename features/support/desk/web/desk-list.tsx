import { List } from '#foundation/web/ui/list.tsx'
import { useEffect, useState } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { m } from '#texts/messages.js'
import { DeskRow } from './desk-row.tsx'
import type { Tab } from './filter.ts'
import { SelectTicket } from './select-ticket.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** The tickets, each a row that leads to its chat; `j` and `k` walk through them, `x` selects. */
export function DeskList({
  tickets,
  tab,
  outdated,
}: {
  tickets: readonly Ticket[]
  tab: Tab
  /** True while the rows of the previous filter are shown. */
  outdated: boolean
}) {
  const now = useMinutes()
  const listed = tickets.map(({ id }) => id)
  return (
    <div className="@container">
      <List label={m.desk_title()} isOutdated={outdated}>
        {tickets.map((ticket) => (
          <DeskRow key={ticket.id} ticket={ticket} tab={tab} now={now}>
            <SelectTicket ticket={ticket} listed={listed} />
          </DeskRow>
        ))}
      </List>
      <SelectionBar tickets={tickets} />
    </div>
  )
}

/** Returns the time, updated each minute, so that the waiting times grow in a list that stays open. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_ms)
    return () => clearInterval(timer)
  }, [])
  return now
}

const MINUTE_ms = 60_000
