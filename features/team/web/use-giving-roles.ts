import { giveRoles, getStaffMe, listMembers, type StaffMember } from '#features/team/contract.ts'
import type { Role } from '#foundation/roles.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { useForm, type FormError, type FormHandle } from '#foundation/web/form/use-form.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

type Wanted = {
  member: StaffMember
  /** The roles that the form names, or the reason why they cannot be sent. */
  rolesIn: (fields: FormFields) => readonly Role[] | FormError
  onDone: () => void
  done: () => string
}

/** A form that changes the roles of a member. The change needs a recent proof of identity, for which `dialog` asks. */
export function useGivingRoles({ member, rolesIn, onDone, done }: Wanted): {
  form: FormHandle
  dialog: ReturnType<typeof useReauthentication>['dialog']
} {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(
    async (fields) => {
      const roles = rolesIn(fields)
      if ('errors' in roles) return roles
      const body = { roles: [...roles], from: member.roles, reason: fields.text('reason') }
      const answer = await withProof(() => call(giveRoles, { params: { userId: member.id }, body }))
      if (!answer) return undefined
      if (answer.status !== 200 && answer.status !== 202) return answer
      for (const route of [listMembers, getStaffMe]) refreshQueries(route)
      toastSuccess(answer.status === 200 ? done : () => m.team_change_waits({ name: member.name }))
      onDone()
      return undefined
    },
    { about: member.id },
  )
  return { form, dialog }
}
