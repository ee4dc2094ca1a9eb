import type { CustomerCard } from '#features/support/desk/contract.ts'
import { accessTexts } from '#features/support/desk/texts.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { regionName } from '#foundation/web/i18n/region-name.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { isGone, Loaded } from '#foundation/web/ui/loaded.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { RatingsOfCustomer } from '#features/support/ratings/web/latest-ratings.tsx'
import { useCustomer } from './hooks.ts'
import { CardHosts, CardTickets } from './card-lists.tsx'

/** The customer's card beside the conversation, on screens with room for it. */
export function CardBeside({ ticket }: { ticket: Ticket }) {
  return (
    <aside
      aria-label={m.desk_card()}
      className="hidden w-72 shrink-0 overflow-y-auto border-l border-line pb-10 pl-6 @4xl:block"
      style={FADES}
    >
      <Card ticket={ticket} />
    </aside>
  )
}

/** The foot of the card fades, which shows that it scrolls. */
const FADES = { maskImage: 'linear-gradient(black calc(100% - 2.5rem), transparent)' }

/** The customer's card as a dialog over the conversation, on smaller screens. */
export function CardDialog({ ticket, open, onClose }: DialogProps & { ticket: Ticket }) {
  return (
    <Dialog open={open} onClose={onClose} title={m.desk_card()}>
      <Card ticket={ticket} />
    </Dialog>
  )
}

function Card({ ticket }: { ticket: Ticket }) {
  const query = useCustomer(ticket.customer?.id ?? '')
  if (query.data === undefined && isGone(query.error))
    return <p className="text-sm text-muted">{m.desk_card_gone()}</p>
  return (
    <Loaded
      query={query}
      failed={m.desk_card_failed()}
      waiting={
        <div className="flex flex-col gap-3">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
        </div>
      }
    >
      {(card) => <Known card={card} ticket={ticket} />}
    </Loaded>
  )
}

function Known({ card, ticket }: { card: CustomerCard; ticket: Ticket }) {
  const locale = useLocale()
  const country = regionName(card.country, locale)
  const place = [card.city, country].filter(Boolean).join(', ')
  return (
    <div className="flex flex-col gap-6">
      <section>
        <h2 dir="auto" className="text-left font-semibold [overflow-wrap:anywhere]">
          {card.name || m.desk_card_no_name()}
        </h2>
        {card.access === 'open' ? null : <Badge tone="danger">{accessTexts[card.access]()}</Badge>}
        <div className="-mr-2 flex items-center justify-between gap-1 text-sm text-muted">
          <span className="min-w-0 [overflow-wrap:anywhere]">{card.email}</span>
          <CopyButton text={card.email} />
        </div>
        <div className="mt-2">
          <Facts
            facts={[
              { name: m.desk_card_balance(), value: formatMoney(card.balance) },
              ...(card.company ? [{ name: m.desk_card_company(), value: <bdi>{card.company}</bdi> }] : []),
              ...(place ? [{ name: m.desk_card_place(), value: <bdi>{place}</bdi> }] : []),
              { name: m.desk_card_language(), value: localeNames[card.language] },
              { name: m.desk_card_since(), value: formatDate(card.customer_since) },
            ]}
          />
        </div>
      </section>
      <CardHosts hosts={card.hosts} asked={ticket.host_id} />
      <CardTickets tickets={card.tickets} customer_id={card.id} present={ticket.id} />
      <RatingsOfCustomer customer={card.id} />
    </div>
  )
}
