import type { CustomerAccount } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useMayActOn } from './hooks.ts'

const SignOutCustomer = lazyPart(() => import('./sign-out-customer.tsx').then((file) => file.SignOutCustomer))

type Props = { card: CustomerCard; account: CustomerAccount }

/** The sessions of a customer. */
export function CustomerSessions({ card, account: { sessions } }: Props) {
  const maySignOut = useMayActOn(card, 'customers.sign_out')
  const signOut = useLazyDialog(SignOutCustomer)
  return (
    <Card
      title={m.customers_sessions()}
      actions={
        maySignOut && sessions.length > 0 ? (
          <Button {...signOut.opener}>{m.customers_sign_out()}</Button>
        ) : null
      }
    >
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
      {signOut.open ? <SignOutCustomer card={card} {...signOut.dialog} /> : null}
    </Card>
  )
}
