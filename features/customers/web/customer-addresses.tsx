import { useState } from 'react'
import type { CustomerAccount } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { addressTexts } from '#features/profile/texts.ts'
import { m } from '#texts/messages.js'
import { useMayActOn } from './hooks.ts'

const ConfirmAddress = lazyPart(() => import('./confirm-address.tsx').then((file) => file.ConfirmAddress))

type Props = { card: CustomerCard; account: CustomerAccount }

/** The addresses of a customer. While none is confirmed, staff can confirm one for the customer. */
export function CustomerAddresses({ card, account: { addresses } }: Props) {
  // With a proven address the customer can prove the others themselves.
  const mayConfirm = useMayActOn(card, 'customers.confirm_address') && !addresses.some(({ proven }) => proven)
  const confirm = useLazyDialog(ConfirmAddress)
  const [chosen, setChosen] = useState<CustomerAccount['addresses'][number]>()
  return (
    <Card title={m.customers_addresses()}>
      <List label={m.customers_addresses()}>
        {addresses.map((address) => (
          <ListRow
            key={address.id}
            title={address.email}
            badge={
              <>
                {address.primary ? <Badge tone="accent">{m.customers_primary()}</Badge> : null}
                <Badge tone={address.proven ? 'success' : 'warning'}>
                  {address.proven ? addressTexts.confirmed() : addressTexts.unconfirmed()}
                </Badge>
              </>
            }
            actions={
              mayConfirm ? (
                <Button
                  size="small"
                  aria-label={m.customers_confirm_this({ email: address.email })}
                  onClick={() => {
                    setChosen(address)
                    confirm.show()
                  }}
                >
                  {m.customers_confirm()}
                </Button>
              ) : null
            }
          />
        ))}
      </List>
      {chosen && confirm.open ? <ConfirmAddress card={card} address={chosen} {...confirm.dialog} /> : null}
    </Card>
  )
}
