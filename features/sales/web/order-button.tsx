import { paths } from '#features/paths.ts'
import Plus from 'lucide-react/icons/plus'
import type { Host } from '#features/hosts/contract.ts'
import { useQueryAction } from '#foundation/web/use-query-action.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

const OrderHost = lazyPart(() => import('./order-host.tsx').then((file) => file.OrderHost))

type Props = { onOrdered?: (host: Host) => void; isDialogOnly?: boolean }

/** The button for a new server, with a licence or without, and the dialog that it opens. */
export function OrderButton({ onOrdered, isDialogOnly }: Props) {
  const order = useLazyDialog(OrderHost)
  useQueryAction('order', paths.hosts(), order.show)
  return (
    <>
      {isDialogOnly ? null : (
        <Button look="primary" icon={<Plus size={16} aria-hidden="true" />} {...order.opener}>
          {m.licences_order_host()}
        </Button>
      )}
      {order.open ? <OrderHost {...order.dialog} {...(onOrdered ? { onOrdered } : {})} /> : null}
    </>
  )
}
