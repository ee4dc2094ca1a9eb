import type { StaffMember } from '#features/team/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useGivingRoles } from './use-giving-roles.ts'

type Props = { member: StaffMember; onClose: () => void }

export function RevokeAccess({ member, onClose }: Props) {
  const { name, open_tickets } = member
  const { form, dialog } = useGivingRoles({
    member,
    rolesIn: () => [],
    onDone: onClose,
    done: () => m.team_revoked({ name }),
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.team_revoke_title({ name })}
      description={m.team_revoke_text({ name, count: String(open_tickets) })}
      form={form}
      act={m.team_revoke()}
      look="danger"
      proof={dialog}
    >
      <TextField name="reason" label={m.team_reason()} hint={m.team_reason_hint()} most={200} required />
    </FormDialog>
  )
}
