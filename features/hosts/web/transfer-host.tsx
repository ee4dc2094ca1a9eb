import type { Host } from '#features/hosts/contract.ts'
import { listTransfers, withdrawTransfer, type Transfer } from '#features/hosts/transfer-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { useTransferOf } from './transfer-hooks.ts'

const TransferDialog = lazyPart<DialogProps & { host: Host }>(() =>
  import('./transfer-dialog.tsx').then((file) => file.TransferDialog),
)

/** The card that offers a server to another account, or shows the open offer and withdraws it. Only the owner sees the card. */
export function TransferHost({ host }: { host: Host }) {
  const { data } = useTransferOf(host.id)
  const offer = useLazyDialog(TransferDialog)
  const open = data?.items[0]
  return (
    <Card
      title={m.hosts_transfer()}
      description={m.hosts_transfer_text()}
      actions={open ? <Withdraw host={host} /> : <Button {...offer.opener}>{m.hosts_transfer()}</Button>}
    >
      {open ? <Offered transfer={open} /> : null}
      {offer.open ? <TransferDialog host={host} {...offer.dialog} /> : null}
    </Card>
  )
}

const Offered = ({ transfer: { email, expires_at } }: { transfer: Transfer }) => (
  <Alert tone="warning">
    <span className="[overflow-wrap:anywhere]">
      {m.hosts_transfer_offered({ email, date: formatDate(expires_at) })}
    </span>
  </Alert>
)

function Withdraw({ host }: { host: Host }) {
  const withdraw = useAct(async () => {
    const answer = await call(withdrawTransfer, { params: { hostId: host.id } })
    refreshQueries(listTransfers)
    const [error] = answer.errors
    // The offer was accepted or is over, which the refreshed page shows.
    if (answer.status === 404) return
    if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
    else toastSuccess(m.hosts_transfer_withdrawn)
  })
  return (
    <Button pending={withdraw.pending} onClick={withdraw.run}>
      {m.hosts_transfer_withdraw()}
    </Button>
  )
}
