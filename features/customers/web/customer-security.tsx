import type { CustomerAccount } from '#features/customers/contract.ts'
import { TokensOf } from '#features/sharing/web/sharing.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { CustomerAddresses } from './customer-addresses.tsx'
import { CustomerData } from './customer-data.tsx'
import { CustomerStorage } from './customer-storage.tsx'
import { CustomerSessions } from './customer-sessions.tsx'
import { useAccount, useMayActOn } from './hooks.ts'
import { MergedNotice } from './merged-notice.tsx'

const ResetFactor = lazyPart(() => import('./reset-factor.tsx').then((file) => file.ResetFactor))
const MoveAccount = lazyPart(() => import('./data-dialogs.tsx').then((file) => file.MoveAccount))
const CancelReset = lazyPart(() => import('./reset-factor.tsx').then((file) => file.CancelReset))

/** How a customer signs in, so that the support can help a customer who cannot sign in. */
export function CustomerSecurity({ card }: { card: CustomerCard }) {
  const query = useAccount(card.id)
  const mayHelp = useMayActOn(card, 'customers.help')
  return (
    <Loaded query={query} failed={m.customers_account_failed()}>
      {(account) => (
        <div className="flex flex-col gap-6">
          <SignIn card={card} account={account} />
          <CustomerAddresses card={card} account={account} />
          <CustomerSessions card={card} account={account} />
          {mayHelp ? <TokensOf userId={card.id} /> : null}
          <CustomerStorage card={card} />
          <CustomerData card={card} />
        </div>
      )}
    </Loaded>
  )
}

type Props = { card: CustomerCard; account: CustomerAccount }

function SignIn({ card, account }: Props) {
  const { two_factor, last_login_at, created_at, factor_reset, merged_into, terms } = account
  const mayReset = useMayActOn(card, 'customers.reset_factor')
  const mayMove = useMayActOn(card, 'customers.move')
  const reset = useLazyDialog(ResetFactor)
  const move = useLazyDialog(MoveAccount)
  const cancel = useLazyDialog(CancelReset)
  const factors = two_factor.map((factor) => FACTORS[factor]()).join(', ')
  return (
    <Card
      title={m.customers_sign_in()}
      actions={
        factor_reset ? null : (
          <>
            {mayReset && two_factor.length > 0 ? (
              <Button {...reset.opener}>{m.customers_reset_factor()}</Button>
            ) : null}
            {mayMove ? <Button {...move.opener}>{m.customers_move()}</Button> : null}
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {merged_into ? <MergedNotice card={card} into={merged_into} /> : null}
        {factor_reset ? (
          <Alert tone="warning">
            <p className="font-medium">{pendingText(factor_reset)}</p>
            <p dir="auto" className="[overflow-wrap:anywhere]">
              {factor_reset.reason}
            </p>
            {mayReset ? (
              <div className="mt-2">
                <Button size="small" {...cancel.opener}>
                  {m.customers_reset_cancel()}
                </Button>
              </div>
            ) : null}
          </Alert>
        ) : null}
        <Facts
          facts={[
            { name: m.customers_created(), value: formatDateTime(created_at) },
            {
              name: m.customers_last_login(),
              value: last_login_at === null ? m.customers_never() : formatDateTime(last_login_at),
            },
            { name: m.customers_two_factor(), value: factors || m.customers_two_factor_off() },
            ...termsFacts(terms),
          ]}
        />
      </div>
      {reset.open ? <ResetFactor card={card} {...reset.dialog} /> : null}
      {move.open ? <MoveAccount card={card} {...move.dialog} /> : null}
      {cancel.open ? <CancelReset card={card} {...cancel.dialog} /> : null}
    </Card>
  )
}

function pendingText({
  due_at,
  by,
  new_email,
  merge_into,
}: NonNullable<CustomerAccount['factor_reset']>): string {
  const said = { date: formatDateTime(due_at), by: by ?? m.customers_command_line() }
  if (merge_into !== null) return m.customers_merge_pending({ ...said, email: merge_into })
  return new_email === null
    ? m.customers_reset_waits(said)
    : m.customers_move_pending({ ...said, email: new_email })
}

/** Returns the facts about accepted terms; none if the operator has no terms and the customer has never accepted any. */
function termsFacts({ current, accepted }: CustomerAccount['terms']): { name: string; value: string }[] {
  const name = m.customers_terms()
  if (!accepted) return current ? [{ name, value: m.customers_terms_none({ current: current.version }) }] : []
  const said = { version: accepted.version, date: formatDateTime(accepted.at) }
  const isOlder = current !== null && current.version !== accepted.version
  return [
    {
      name,
      value: isOlder
        ? m.customers_terms_older({ ...said, current: current.version })
        : m.customers_terms_accepted(said),
    },
  ]
}

const FACTORS = { totp: m.customers_factor_app, webauthn: m.customers_factor_passkey } as const
