import type { Host } from '#features/hosts/contract.ts'
import { MOST_KEYS } from '#features/hosts/rules.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'

const RenewKeys = lazyPart(() => import('./renew-keys.tsx').then((file) => file.RenewKeys))

type Props = { hosts: readonly Host[]; onDone: () => void }

/** The button that renews the keys of the selected servers, for the owner and helpers with full access. */
export function RenewKeysButton({ hosts, onDone }: Props) {
  const dialog = useLazyDialog(RenewKeys)
  const areTheirs = hosts.every(({ account }) => account === null || account.role === 'full')
  if (isViewing() || !areTheirs || hosts.length > MOST_KEYS) return null
  return (
    <>
      <Button size="small" {...dialog.opener}>
        {m.hosts_keys_renew()}
      </Button>
      {dialog.open ? <RenewKeys {...dialog.dialog} hosts={hosts} onDone={onDone} /> : null}
    </>
  )
}
