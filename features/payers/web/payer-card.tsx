import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
import type { Agreement } from '#features/payers/contract.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { AddToAgreement } from './add-to-agreement.tsx'
import { useAgreementsOf } from './hooks.ts'
import { otherSide } from './names.ts'

const ProposeDialog = lazyPart<DialogProps & { host: Host }>(() =>
  import('./propose-dialog.tsx').then((file) => file.ProposeDialog),
)
const RemoveFromAgreement = lazyPart<DialogProps & { host: Host; agreement: Agreement }>(() =>
  import('./remove-from-agreement.tsx').then((file) => file.RemoveFromAgreement),
)

/** The card on a server's page that names its payer, or asks somebody to pay. */
export function PayerCard({ host }: { host: Host }) {
  const { data, error } = useAgreementsOf(host.id)
  if (!data) return <Coming of={{ error }} />
  const payer = data.items.find(({ host_state }) => host_state === 'paid')
  const asked = data.items.find(({ host_state }) => host_state === 'requested')
  if (payer) return <Paid host={host} agreement={payer} />
  return <Unpaid host={host} asked={asked} />
}

function Paid({ host, agreement }: { host: Host; agreement: Agreement }) {
  const remove = useLazyDialog(RemoveFromAgreement)
  return (
    <Card
      title={m.payers_card()}
      actions={
        <>
          {agreement.hosts > 1 ? <Button {...remove.opener}>{m.payers_remove()}</Button> : null}
          <ButtonLink to={paths.paidFor()}>{m.payers_link()}</ButtonLink>
        </>
      }
    >
      <p className="text-sm font-medium">{m.payers_card_by({ name: otherSide(agreement) })}</p>
      <p className="text-sm text-muted">
        {agreement.pays === 'all' ? m.payers_card_all() : m.payers_card_renewals()}
      </p>
      {remove.open ? <RemoveFromAgreement host={host} agreement={agreement} {...remove.dialog} /> : null}
    </Card>
  )
}

function Unpaid({ host, asked }: { host: Host; asked: Agreement | undefined }) {
  const ask = useLazyDialog(ProposeDialog)
  return (
    <Card
      title={m.payers_card()}
      actions={
        asked ? (
          <ButtonLink to={paths.paidFor()}>{m.payers_link()}</ButtonLink>
        ) : (
          <Button {...ask.opener}>{m.payers_ask()}</Button>
        )
      }
    >
      <p className="text-sm text-muted">
        {asked ? m.payers_card_asked({ name: otherSide(asked) }) : m.payers_card_self()}
      </p>
      {asked ? null : <AddToAgreement host={host} />}
      {ask.open ? <ProposeDialog host={host} {...ask.dialog} /> : null}
    </Card>
  )
}
