import { deleteAgreement, type Agreement } from '#features/payers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAgreements } from './hooks.ts'
import { otherSide } from './names.ts'

/** The dialog that ends an agreement, or withdraws an offer that the user made. */
export function EndAgreement({ agreement, open, onClose }: DialogProps & { agreement: Agreement }) {
  const { id, side, state } = agreement
  const isActive = state === 'active'
  const form = useForm(
    async (fields) => {
      const keeps = isActive && side === 'owner' && fields.checked('own_balance')
      const query = keeps ? ({ renewals: 'own_balance' } as const) : {}
      const answer = await call(deleteAgreement, { params: { agreementId: id }, query })
      refreshAgreements()
      // A 404 means that the other side has ended it meanwhile; the list shows that.
      if (answer.status !== 204 && answer.status !== 404) return answer
      if (answer.status === 204) toastSuccess(isActive ? m.payers_ended : m.payers_withdrawn)
      onClose()
      return undefined
    },
    { about: id },
  )
  const name = otherSide(agreement)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={isActive ? m.payers_end_title({ name }) : m.payers_withdraw_title({ name })}
      description={textOf(agreement)}
      form={form}
      act={isActive ? m.payers_end() : m.payers_withdraw()}
      look="danger"
    >
      {isActive && side === 'owner' ? (
        <CheckboxField name="own_balance" label={m.payers_own_balance()} hint={m.payers_own_balance_hint()} />
      ) : null}
    </FormDialog>
  )
}

/** Returns the description of the dialog. For the owner it does not mention automatic renewal, about which the checkbox below decides. */
function textOf({ side, state }: Agreement): string {
  if (state !== 'active') return m.payers_withdraw_text()
  return side === 'owner' ? m.payers_end_owner_text() : m.payers_end_text()
}
