import type { CustomerAccount } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useAccount } from './hooks.ts'

/** How a customer signs in: what support needs to know when somebody cannot. */
export function CustomerSecurity({ card }: { card: CustomerCard }) {
  const { data, error, refetch } = useAccount(card.id)
  if (data) return <Known account={data} />
  if (error)
    return <ErrorState title={m.customers_account_failed()} error={error} onRetry={() => void refetch()} />
  return (
    <Loading>
      <Skeleton className="h-64 rounded-lg" />
    </Loading>
  )
}

function Known({
  account: { addresses, two_factor, sessions, last_login_at, created_at },
}: {
  account: CustomerAccount
}) {
  const factors = two_factor.map((factor) => FACTORS[factor]()).join(', ')
  return (
    <div className="flex flex-col gap-6">
      <Card title={m.customers_sign_in()}>
        <Facts
          facts={[
            { name: m.customers_created(), value: formatDateTime(created_at) },
            {
              name: m.customers_last_login(),
              value: last_login_at === null ? m.customers_never() : formatDateTime(last_login_at),
            },
            { name: m.customers_two_factor(), value: factors || m.customers_two_factor_off() },
          ]}
        />
      </Card>
      <Card title={m.customers_addresses()}>
        <List label={m.customers_addresses()}>
          {addresses.map(({ email, primary, proven }) => (
            <ListRow
              key={email}
              title={email}
              badge={
                <>
                  {primary ? <Badge tone="accent">{m.customers_primary()}</Badge> : null}
                  <Badge tone={proven ? 'success' : 'warning'}>
                    {proven ? m.customers_confirmed() : m.customers_unconfirmed()}
                  </Badge>
                </>
              }
            />
          ))}
        </List>
      </Card>
      <Card title={m.customers_sessions()}>
        {sessions.length === 0 ? (
          <p className="text-sm text-muted">{m.customers_no_sessions()}</p>
        ) : (
          <List label={m.customers_sessions()}>
            {sessions.map(({ id, ip, user_agent, last_seen_at }) => (
              <ListRow
                key={id}
                title={<span className="font-mono">{ip}</span>}
                detail={user_agent}
                actions={
                  <time
                    dateTime={last_seen_at}
                    title={formatDateTime(last_seen_at)}
                    className="text-sm text-muted"
                  >
                    {relativeTime(last_seen_at)}
                  </time>
                }
              />
            ))}
          </List>
        )}
      </Card>
    </div>
  )
}

const FACTORS = { totp: m.customers_factor_app, webauthn: m.customers_factor_passkey } as const
