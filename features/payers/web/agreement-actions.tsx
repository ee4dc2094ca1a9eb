import type { Agreement } from '#features/payers/contract.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { waitsForMe } from './names.ts'

type Props = DialogProps & { agreement: Agreement }
const AgreementDialog = lazyPart<Props>(() =>
  import('./agreement-dialog.tsx').then((file) => file.AgreementDialog),
)
const ChangeLimit = lazyPart<Props>(() => import('./change-limit.tsx').then((file) => file.ChangeLimit))
const EndAgreement = lazyPart<Props>(() => import('./end-agreement.tsx').then((file) => file.EndAgreement))

/** The actions for an agreement: open it, answer it, change the limit, end it. */
export function AgreementActions({ agreement }: { agreement: Agreement }) {
  const { side, state, asked_by } = agreement
  const look = useLazyDialog(AgreementDialog)
  const limit = useLazyDialog(ChangeLimit)
  const end = useLazyDialog(EndAgreement)
  const waits = waitsForMe(agreement)
  const isMine = state === 'active' || asked_by === side
  return (
    <>
      <Button size="small" {...(waits && { look: 'primary' as const })} {...look.opener}>
        {waits ? m.payers_review() : m.payers_details()}
      </Button>
      {side === 'payer' && isMine ? (
        <Button size="small" {...limit.opener}>
          {m.payers_change_limit()}
        </Button>
      ) : null}
      {isMine ? (
        <Button size="small" {...end.opener}>
          {state === 'active' ? m.payers_end() : m.payers_withdraw()}
        </Button>
      ) : null}
      {look.open ? <AgreementDialog agreement={agreement} {...look.dialog} /> : null}
      {limit.open ? <ChangeLimit agreement={agreement} {...limit.dialog} /> : null}
      {end.open ? <EndAgreement agreement={agreement} {...end.dialog} /> : null}
    </>
  )
}
