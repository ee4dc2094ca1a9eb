import { paths } from '#features/paths.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { statusText, statusTone } from '#features/support/tickets/web/words.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useCustomerTickets } from './hooks.ts'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'

/** All tickets of a customer, as the desk orders them. */
export function CustomerTickets({ card }: { card: CustomerCard }) {
  const pages = useCustomerTickets(card.id)
  return (
    <LoadedList query={pages} failed={m.customers_tickets_failed()} none={m.customers_no_tickets()}>
      {(tickets) => (
        <List label={m.customers_tab_tickets()}>
          {tickets.map(({ id, number, subject, status, assignee, last_message_at }) => (
            <ListRow
              key={id}
              title={
                <TextLink to={paths.deskTicket(id)}>
                  #{number} <bdi>{subject}</bdi>
                </TextLink>
              }
              badge={<Badge tone={statusTone(status)}>{statusText(status)}</Badge>}
              detail={[formatDateTime(last_message_at), assignee?.name].filter(Boolean).join(' · ')}
            />
          ))}
        </List>
      )}
    </LoadedList>
  )
}
