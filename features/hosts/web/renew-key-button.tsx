import type { Host } from '#features/hosts/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'

const RenewKey = lazyPart(() => import('./renew-key.tsx').then((file) => file.RenewKey))

type Props = { host: Host; onRenewed?: () => void }

/** The button that renews the licence key, for the owner and helpers with full access. */
export function RenewKeyButton({ host, onRenewed }: Props) {
  const dialog = useLazyDialog(RenewKey)
  const role = host.account?.role
  if (isViewing() || (role !== undefined && role !== 'full')) return null
  return (
    <>
      <Button size="small" {...dialog.opener}>
        {m.hosts_key_renew()}
      </Button>
      {dialog.open ? <RenewKey host={host} {...dialog.dialog} {...(onRenewed && { onRenewed })} /> : null}
    </>
  )
}
