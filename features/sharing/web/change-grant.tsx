import { useMemo, useState } from 'react'
import { listGrants, updateGrant, type Grant } from '#features/sharing/contract.ts'
import { helperRoles, type HelperRole } from '#foundation/capability.ts'
import { digitsOf } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { parseAmount, typedAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { roleName, roleText } from './role-text.ts'

/** The dialog that changes a grant: the role, the monthly limit, and whether the helper may pass it on. */
export function ChangeGrant({ grant, open, onClose }: DialogProps & { grant: Grant }) {
  const { currency } = grant.spent_this_month
  const saved = useMemo(() => textsOf(grant), [grant])
  const [role, setRole] = useState<HelperRole>(grant.role)
  const { withProof, dialog } = useReauthentication()
  const form = useEditForm({
    saved,
    save: async (changes, version) => {
      const limit = limitIn(changes.month_limit, digitsOf(currency))
      if (limit === 'invalid') return { status: 400, body: undefined, errors: [wrongLimit] }
      const chosen = helperRoles.find((one) => one === changes.role)
      const body = {
        version,
        ...(chosen && { role: chosen }),
        // A helper who pays has all servers.
        ...(chosen && chosen !== 'technical' && { all_hosts: true }),
        ...(limit !== undefined && { month_limit: limit }),
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
      <TextField
        name="month_limit"
        label={m.sharing_limit({ currency })}
        hint={m.sharing_limit_hint()}
        defaultValue={saved.month_limit}
        inputMode="decimal"
        autoComplete="off"
      />
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

const wrongLimit = { code: 'invalid', param: 'month_limit' } as const

const textsOf = ({
  role,
  month_limit,
  may_pass_on,
  version,
}: Grant): Record<'role' | 'month_limit' | 'may_pass_on', string> & { version: number } => ({
  role,
  may_pass_on: may_pass_on ? 'yes' : 'no',
  month_limit: month_limit === null ? '' : typedAmount(month_limit),
  version,
})

/** Returns the limit in minor units, null for no limit, undefined if the field was not changed, and 'invalid' if the text is no amount. */
function limitIn(typed: string | undefined, digits: number): string | null | undefined {
  if (typed === undefined) return undefined
  if (typed.trim() === '') return null
  return parseAmount(typed, digits)?.toString() ?? 'invalid'
}
