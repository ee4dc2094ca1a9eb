import type { StaffMember } from '#features/team/contract.ts'
import { roleText } from '#features/team/texts.ts'
import { roles } from '#foundation/roles.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { roleTexts } from './role-texts.ts'
import { useGivingRoles } from './use-giving-roles.ts'

type Props = { member: StaffMember; onClose: () => void }

export function ChooseRoles({ member, onClose }: Props) {
  const { name } = member
  const { form, dialog } = useGivingRoles({
    member,
    // The last role cannot be taken away here: nobody is revoked by unticking the last box in passing.
    rolesIn(fields) {
      const chosen = roles.filter((role) => fields.checked(role))
      return chosen.length > 0 ? chosen : { errors: [{ code: 'no_role_chosen', param: roles[0] }] }
    },
    onDone: onClose,
    done: () => m.team_changed({ name }),
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.team_change_title({ name })}
      description={m.team_sign_out_hint()}
      form={form}
      act={m.team_save()}
      label={m.team_change()}
      proof={dialog}
    >
      {roles.map((role) => (
        <CheckboxField
          key={role}
          name={role}
          label={roleText(role)}
          hint={roleTexts[role]()}
          defaultChecked={member.roles.includes(role)}
        />
      ))}
      <TextField name="reason" label={m.team_reason()} hint={m.team_reason_hint()} most={200} required />
    </FormDialog>
  )
}
