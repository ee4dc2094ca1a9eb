import type { Host } from '#features/hosts/contract.ts'
import { createAgreement } from '#features/payers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { typedLimit } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAgreements, useCurrency } from './hooks.ts'
import { LimitField, wrongLimit } from './limit-field.tsx'

/** The dialog that asks somebody to pay for the server `host`, or (without `host`) offers to pay for somebody's servers. */
export function ProposeDialog({ host, open, onClose }: DialogProps & { host?: Host }) {
  const currency = useCurrency()
  const { withProof, dialog } = useReauthentication()
  const form = useForm(
    async (fields) => {
      const email = fields.text('email')
      const month_limit = typedLimit(fields.text('month_limit'), currency)
      if (month_limit === undefined) return { errors: [wrongLimit] }
      const all_hosts = fields.checked('all_hosts')
      const body = {
        email,
        all_hosts,
        month_limit,
        pays: fields.text('pays') === 'all' ? ('all' as const) : ('renewals' as const),
        ...(host ? { side: 'owner' as const } : { side: 'payer' as const }),
        ...(host && !all_hosts && { host_ids: [host.id] }),
      }
      const answer = await withProof(() => call(createAgreement, { headers: {}, body }))
      if (!answer) return undefined
      if (answer.status !== 201) return answer
      refreshAgreements()
      toastSuccess(() => m.payers_sent({ email }))
      onClose()
      return undefined
    },
    { about: host?.id },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={host ? m.payers_ask_title({ name: host.name }) : m.payers_offer_title()}
      description={host ? m.payers_ask_text() : m.payers_offer_text()}
      form={form}
      act={m.payers_send()}
      label={host ? m.payers_ask() : m.payers_offer()}
      proof={dialog}
    >
      <EmailField name="email" label={m.payers_email()} autoComplete="off" required />
      <SelectField
        name="pays"
        label={m.payers_pays()}
        options={[
          { value: 'renewals', label: m.payers_pays_renewals() },
          { value: 'all', label: m.payers_pays_all() },
        ]}
      />
      <LimitField currency={currency} hint={host ? m.payers_limit_asked_hint() : m.payers_limit_hint()} />
      <CheckboxField name="all_hosts" label={m.payers_all()} />
    </FormDialog>
  )
}
