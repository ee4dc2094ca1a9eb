import { paths } from '#features/paths.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { statusText, statusTone } from '#features/support/tickets/web/words.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { regionName } from '#foundation/web/i18n/region-name.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { HostLines } from './customer-hosts.tsx'
import { PinnedNotes } from './customer-notes.tsx'
import { CustomerVat } from './customer-vat.tsx'
import { MergedFrom } from './merged-notice.tsx'

/** The customer at a glance: pinned notes, also of accounts that were merged into it, contact data and the latest tickets, beside them the latest servers and VAT. */
export function CustomerOverview({ card }: { card: CustomerCard }) {
  const locale = useLocale()
  const country = regionName(card.country, locale)
  const place = [card.city, country].filter(Boolean).join(', ')
  return (
    <>
      <PinnedNotes userId={card.id} />
      <MergedFrom card={card} />
      <div className="grid items-start gap-6 *:flex *:min-w-0 *:flex-col *:gap-6 lg:grid-cols-2">
        <div>
          <Card title={m.customers_about()}>
            <Facts
              facts={[
                { name: m.customers_balance(), value: formatMoney(card.balance) },
                {
                  name: m.customers_email(),
                  value: (
                    <span className="-my-2 -mr-2 inline-flex items-center gap-1">
                      <EmailText email={card.email} />
                      <CopyButton text={card.email} />
                    </span>
                  ),
                },
                ...(card.company ? [{ name: m.customers_company(), value: <bdi>{card.company}</bdi> }] : []),
                ...(place ? [{ name: m.customers_place(), value: <bdi>{place}</bdi> }] : []),
                { name: m.customers_language(), value: localeNames[card.language] },
                { name: m.customers_since(), value: formatDate(card.customer_since) },
                {
                  name: m.customers_id(),
                  value: <code className="font-mono text-xs select-all">{card.id}</code>,
                },
              ]}
            />
          </Card>
          <Card title={m.customers_tickets()}>
            {card.tickets.items.length === 0 ? (
              <p className="text-sm text-muted">{m.customers_no_tickets()}</p>
            ) : (
              <ul className="-mx-2 flex flex-col">
                {card.tickets.items.map(({ id, number, subject, status, last_message_at }) => (
                  <li key={id}>
                    <Link
                      to={paths.deskTicket(id)}
                      className="flex items-baseline justify-between gap-3 rounded-md px-2 py-1.5 text-sm hover:bg-hover"
                    >
                      <span dir="auto" className="min-w-0 truncate">
                        <span className="text-muted">#{number}</span> {subject}
                      </span>
                      <Badge tone={statusTone(status)} title={formatDateTime(last_message_at)}>
                        {statusText(status)}
                      </Badge>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
        <div>
          <Card title={m.customers_latest_hosts()}>
            {card.hosts.items.length === 0 ? (
              <p className="text-sm text-muted">{m.customers_no_hosts()}</p>
            ) : (
              <HostLines hosts={card.hosts.items} />
            )}
          </Card>
          <CustomerVat card={card} />
        </div>
      </div>
    </>
  )
}

/** An email address that breaks before its @ if one line is too short for it, instead of before its last letter. */
function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <span>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  )
}
