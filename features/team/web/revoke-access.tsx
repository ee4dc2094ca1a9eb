import type { StaffMember } from '#features/team/contract.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
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
    <>
      <Dialog
        open
        onClose={onClose}
        title={m.team_revoke_title({ name })}
        description={m.team_revoke_text({ name, count: String(open_tickets) })}
      >
        <Form form={form} label={m.team_revoke()}>
          <TextField name="reason" label={m.team_reason()} hint={m.team_reason_hint()} most={200} required />
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
            <SubmitButton look="danger">{m.team_revoke()}</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {dialog}
    </>
  )
}
