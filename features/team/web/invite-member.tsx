import { roleText } from '#features/team/texts.ts'
import { createInvitation, listMembers } from '#features/team/contract.ts'
import { roles } from '#foundation/roles.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { roleTexts } from './role-texts.ts'

/** Asks for an address to invite, and for the roles of the invited person. */
export function InviteMember({ onClose }: { onClose: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const chosen = roles.filter((role) => fields.checked(role))
    if (chosen.length === 0) return { errors: [{ code: 'role_required', param: roles[0] }] }
    const body = { email: fields.text('email'), roles: chosen }
    const answer = await withProof(() => call(createInvitation, { body }))
    if (!answer) return undefined
    if (answer.status !== 201 && answer.status !== 202) return answer
    refreshQueries(listMembers)
    const { email } = body
    const said = answer.status === 201 ? m.team_invite_sent : m.team_invite_waits
    toastSuccess(() => said({ email }))
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.team_invite_title()}
      description={m.team_invite_text()}
      form={form}
      act={m.team_invite_send()}
      label={m.team_invite()}
      proof={dialog}
    >
      <EmailField name="email" label={m.team_invite_email()} autoComplete="off" required />
      {roles.map((role) => (
        <CheckboxField key={role} name={role} label={roleText(role)} hint={roleTexts[role]()} />
      ))}
    </FormDialog>
  )
}
