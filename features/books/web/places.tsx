import { useInfiniteQuery } from '@tanstack/react-query'
import { listVatPlaces, type OpenPlace } from '#features/invoices/contract.ts'
import { placesText, placeText } from '#features/invoices/texts.ts'
import { paths } from '#features/paths.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { formatDate, formatPercent } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { WaitingSection } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'

/** The customers who pay a higher VAT than that of their address; shows nothing if there are none. Staff decide on the customer's page. */
export function Places() {
  const pages = useInfiniteQuery(pagedQueryFor(listVatPlaces, { query: { limit: '5' } }))
  return (
    <WaitingSection pages={pages} title={m.books_places()} text={m.books_places_text()}>
      {(open) => (
        <List label={m.books_places()}>
          {open.map((one) => (
            <ListRow
              key={one.customer.id}
              title={
                <TextLink to={paths.customer(one.customer.id)}>
                  <bdi>{one.customer.name}</bdi>
                </TextLink>
              }
              badge={
                <Badge tone={one.state === 'answered' ? 'warning' : 'neutral'}>{states[one.state]()}</Badge>
              }
              detail={factsOf(one)}
            />
          ))}
        </List>
      )}
    </WaitingSection>
  )
}

const states = {
  agreed: m.books_places_asked,
  asked: m.books_places_asked,
  answered: m.books_places_answered,
  refused: m.books_places_refused,
}

const factsOf = ({ place, payments, network, charged, vat_rate, asked_since, answer }: OpenPlace): string =>
  [
    placeText(place),
    payments.length > 0 ? m.books_places_paid({ countries: placesText(payments) }) : '',
    network === null ? '' : m.books_places_network({ country: placeText(network) }),
    m.books_places_charged({ place: placeText(charged), rate: formatPercent(vat_rate) }),
    asked_since === null ? '' : m.books_places_since({ date: formatDate(asked_since) }),
    answer === '' ? '' : m.ui_quoted({ text: answer }),
  ]
    .filter(Boolean)
    .join(' · ')
