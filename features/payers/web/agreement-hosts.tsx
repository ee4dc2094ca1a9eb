import type { Agreement, PaidHost } from '#features/payers/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useAgreement } from './hooks.ts'
import { factsOf } from './agreement-facts.ts'

/** The servers of an agreement, and what they cost in the next 12 months. */
export function PaidHosts({ agreement }: { agreement: Agreement }) {
  const query = useAgreement(agreement.id)
  const locale = useLocale()
  return (
    <Loaded query={query} failed={m.payers_failed()} waiting="h-24">
      {(data) => (
        <div className="flex flex-col gap-4">
          <p className="text-sm text-muted">{factsOf(agreement).join(' · ')}</p>
          {data.hosts.length === 0 ? (
            <p className="text-sm text-muted">{m.payers_no_hosts()}</p>
          ) : (
            <List label={m.payers_which()}>
              {data.hosts.map((host) => (
                <ListRow
                  key={host.id}
                  title={host.name}
                  badge={
                    host.requested && agreement.state === 'active' ? (
                      <Badge tone="warning">{m.payers_new()}</Badge>
                    ) : undefined
                  }
                  detail={[host.plan ? host.plan[locale] : m.payers_free(), nextOf(host)].join(' · ')}
                />
              ))}
            </List>
          )}
          <Facts facts={[{ name: m.payers_next_charges(), value: formatMoney(data.total) }]} />
        </div>
      )}
    </Loaded>
  )
}

function nextOf({ charges }: PaidHost): string {
  const [next] = charges
  return next
    ? m.payers_next({ total: formatMoney(next.total), date: formatDate(next.due_at) })
    : m.payers_no_charge()
}
