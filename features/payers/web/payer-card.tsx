import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPage } from '#foundation/web/lazy-page.tsx'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { useAgreementsOf } from './hooks.ts'
import { otherSide } from './names.ts'

const ProposeDialog = lazyPage<DialogProps & { host: Host }>(() =>
  import('./propose-dialog.tsx').then((file) => file.ProposeDialog),
)

/** Who pays for a server, on its page; and asking somebody to do so. */
export function PayerCard({ host }: { host: Host }) {
  const ask = useLazyDialog(ProposeDialog)
  const { data } = useAgreementsOf(host.id)
  if (!data) return null
  const [open, active] = [
    data.items.find(({ state }) => state === 'offered'),
    data.items.find(({ state }) => state === 'active'),
  ]
  const shown = active ?? open
  return (
    <Card
      title={m.payers_card()}
      actions={
        shown ? (
          <ButtonLink to={paths.paidFor()}>{m.payers_link()}</ButtonLink>
        ) : (
          <Button {...ask.opener}>{m.payers_ask()}</Button>
        )
      }
    >
      {active ? (
        <>
          <p className="text-sm font-medium">{m.payers_card_by({ name: otherSide(active) })}</p>
          <p className="text-sm text-muted">
            {active.pays === 'all' ? m.payers_card_all() : m.payers_card_renewals()}
          </p>
        </>
      ) : (
        <p className="text-sm text-muted">
          {open ? m.payers_card_asked({ name: otherSide(open) }) : m.payers_card_self()}
        </p>
      )}
      {ask.open ? <ProposeDialog host={host} {...ask.dialog} /> : null}
    </Card>
  )
}
