import { useMemo, useState } from 'react'
import { listGrants, updateGrant, type Grant } from '#features/sharing/contract.ts'
import { helperRoles, mayActAs, seeMoney, spendMoney, type HelperRole } from '#foundation/capability.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { LimitFields, limitsIn, typedLimits } from './limits.tsx'
import { roleName, roleText } from './role-text.ts'

/** The dialog that changes a grant: the role, the limits, and whether the helper may pass it on. */
export function ChangeGrant({ grant, open, onClose }: DialogProps & { grant: Grant }) {
  const { currency } = grant.spent_this_month
  const saved = useMemo(() => textsOf(grant), [grant])
  const [role, setRole] = useState<HelperRole>(grant.role)
  const { withProof, dialog } = useReauthentication()
  const form = useEditForm({
    saved,
    save: async (changes, version) => {
      const { wished, errors } = limitsIn(changes, currency)
      if (errors.length > 0) return { status: 400, body: undefined, errors }
      const chosen = helperRoles.find((one) => one === changes.role)
      const body = {
        version,
        ...(chosen && { role: chosen }),
        // A helper who sees the money has all servers.
        ...(chosen && mayActAs(chosen, seeMoney) && { all_hosts: true }),
        ...wished,
        ...(changes.may_pass_on && { may_pass_on: changes.may_pass_on === 'yes' }),
      }
      const answer = await withProof(() => call(updateGrant, { params: { grantId: grant.id }, body }))
      refreshQueries(listGrants)
      if (answer?.status === 200) return { ...answer, body: textsOf(answer.body) }
      if (answer?.status === 409 && answer.errors[0]?.code === 'changed')
        return { ...answer, body: { ...answer.body, present: textsOf(answer.body.present) } }
      return answer
    },
    onDone: (done) => {
      if (done) toastSuccess(m.sharing_changed)
      onClose()
    },
  })
  const name = grant.account?.name ?? grant.email
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.sharing_change_title({ name })}
      form={form}
      act={m.ui_save()}
      label={m.sharing_change()}
      proof={dialog}
    >
      <SelectField
        name="role"
        label={m.sharing_role()}
        hint={roleText(role)}
        defaultValue={grant.role}
        options={helperRoles.map((value) => ({ value, label: roleName(value) }))}
        onChange={({ target }) => setRole(helperRoles.find((one) => one === target.value) ?? role)}
      />
      {mayActAs(role, spendMoney) ? <LimitFields currency={currency} saved={saved} /> : null}
      <SelectField
        name="may_pass_on"
        label={m.sharing_who_acts()}
        hint={m.sharing_pass_on_hint()}
        defaultValue={saved.may_pass_on}
        options={[
          { value: 'no', label: m.sharing_who_acts_alone() },
          { value: 'yes', label: m.sharing_passed_on() },
        ]}
      />
    </FormDialog>
  )
}

const textsOf = (grant: Grant) => ({
  role: grant.role,
  may_pass_on: grant.may_pass_on ? 'yes' : 'no',
  ...typedLimits(grant),
  version: grant.version,
})
