import { createGrant, listGrants } from '#features/sharing/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useScope } from './scope-fields.tsx'

/** The dialog that asks for the address to invite, the helper's role, and the servers of the grant. */
export function InvitationDialog({ open, onClose }: DialogProps) {
  const { fields: scopeFields, scopeIn } = useScope()
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const email = fields.text('email')
    const { scope, errors } = scopeIn(fields)
    if (errors.length > 0) return { errors }
    const body = {
      email,
      ...scope,
      needs_second_factor: fields.checked('needs_second_factor'),
      may_pass_on: fields.checked('may_pass_on'),
    }
    const answer = await withProof(() => call(createGrant, { body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    refreshQueries(listGrants)
    toastSuccess(() => m.sharing_sent({ email }))
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.sharing_invite_title()}
      form={form}
      act={m.sharing_send()}
      label={m.sharing_invite()}
      proof={dialog}
    >
      <EmailField name="email" label={m.sharing_email()} autoComplete="off" required />
      {scopeFields}
      <CheckboxField name="needs_second_factor" label={m.sharing_factor()} hint={m.sharing_factor_hint()} />
      <CheckboxField name="may_pass_on" label={m.sharing_pass_on()} hint={m.sharing_pass_on_hint()} />
    </FormDialog>
  )
}
