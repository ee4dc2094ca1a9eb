import Landmark from 'lucide-react/icons/landmark'
import { amountOf, type Money } from '#foundation/money.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { isViewing } from '#foundation/web/viewing.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

const PayoutDialog = lazyPart(() => import('./payout-dialog.tsx').then((file) => file.PayoutDialog))

/** Opens the dialog that pays money of the balance out. Only owners see it, where there is money that is no gift. */
export function PayoutButton({ balance, gift }: { balance: Money; gift: Money }) {
  const dialog = useLazyDialog(PayoutDialog)
  if (actedFor() || isViewing() || amountOf(balance) <= amountOf(gift)) return null
  return (
    <>
      <Button icon={<Landmark size={16} aria-hidden="true" />} {...dialog.opener}>
        {m.payouts_pay_out()}
      </Button>
      {dialog.open ? <PayoutDialog gift={gift} {...dialog.dialog} /> : null}
    </>
  )
}
