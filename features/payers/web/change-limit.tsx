import { useMemo } from 'react'
import { updateAgreement, type Agreement } from '#features/payers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { typedAmount, typedLimit } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { refreshAgreements } from './hooks.ts'
import { LimitField, wrongLimit } from './limit-field.tsx'
import { otherSide } from './names.ts'

/** The dialog in which the payer changes the monthly limit. */
export function ChangeLimit({ agreement, open, onClose }: DialogProps & { agreement: Agreement }) {
  const { currency } = agreement.spent_this_month
  const saved = useMemo(() => textsOf(agreement), [agreement])
  const { withProof, dialog } = useReauthentication()
  const form = useEditForm({
    saved,
    save: async ({ month_limit: typed }, version) => {
      const month_limit = typed === undefined ? undefined : typedLimit(typed, currency)
      if (typed !== undefined && month_limit === undefined)
        return { status: 400, body: undefined, errors: [wrongLimit] }
      const body = { version, ...(month_limit !== undefined && { month_limit }) }
      const params = { agreementId: agreement.id }
      const answer = await withProof(() => call(updateAgreement, { params, body }))
      refreshAgreements()
      if (answer?.status === 200) return { ...answer, body: textsOf(answer.body) }
      if (answer?.status === 409 && answer.errors[0]?.code === 'changed')
        return { ...answer, body: { ...answer.body, present: textsOf(answer.body.present) } }
      return answer
    },
    onDone: (done) => {
      if (done) toastSuccess(m.payers_limit_changed)
      onClose()
    },
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.payers_limit_title({ name: otherSide(agreement) })}
      form={form}
      act={m.ui_save()}
      label={m.payers_change_limit()}
      proof={dialog}
    >
      <LimitField currency={currency} hint={m.payers_limit_hint()} defaultValue={saved.month_limit} />
    </FormDialog>
  )
}

const textsOf = ({ month_limit, version }: Agreement): { month_limit: string; version: number } => ({
  month_limit: month_limit === null ? '' : typedAmount(month_limit),
  version,
})
