import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getFinances } from '#features/finance/contract.ts'
import { createGrant, listGrants } from '#features/sharing/contract.ts'
import { useHostsByName } from '#features/hosts/web/hosts.ts'
import { helperRoles, type HelperRole } from '#foundation/capability.ts'
import { digitsOf } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { EmailField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { roleName, roleText } from './role-text.ts'

/** The dialog that asks for the address to invite, the helper's role, and the servers of the grant. */
export function InvitationDialog({ open, onClose }: DialogProps) {
  const [role, setRole] = useState<HelperRole>('technical')
  const [all, setAll] = useState(true)
  const pages = useHostsByName()
  const currency = useQuery(queryFor(getFinances)).data?.balance.currency ?? 'EUR'
  const { withProof, dialog } = useReauthentication()
  const pays = role !== 'technical'
  const form = useForm(async (fields) => {
    const email = fields.text('email')
    const limit = pays ? fields.text('month_limit').trim() : ''
    const amount = parseAmount(limit, digitsOf(currency))
    if (limit !== '' && amount === undefined)
      return { errors: [{ code: 'invalid', param: 'month_limit', message: '' }] }
    const chosen = (itemsOf(pages) ?? []).map(({ id }) => id).filter((id) => fields.checked(id))
    const body = {
      email,
      role,
      all_hosts: pays || all,
      ...(pays || all ? {} : { host_ids: chosen }),
      ...(amount === undefined ? {} : { month_limit: amount.toString() }),
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
      <SelectField
        name="role"
        label={m.sharing_role()}
        hint={roleText(role)}
        value={role}
        options={helperRoles.map((value) => ({ value, label: roleName(value) }))}
        onChange={(event) => setRole(helperRoles.find((one) => one === event.target.value) ?? 'technical')}
      />
      {pays ? (
        <TextField
          name="month_limit"
          label={m.sharing_limit({ currency })}
          hint={m.sharing_limit_hint()}
          inputMode="decimal"
          autoComplete="off"
        />
      ) : (
        <CheckboxField
          name="all_hosts"
          label={m.sharing_all()}
          checked={all}
          onChange={(event) => setAll(event.target.checked)}
        />
      )}
      {pays || all ? null : (
        <fieldset className="flex max-h-60 flex-col gap-3 overflow-y-auto pl-8">
          <legend className="mb-2 text-sm font-medium">{m.sharing_some()}</legend>
          <LoadedList
            query={pages}
            failed={m.sharing_hosts_failed()}
            waiting="h-24"
            none={m.sharing_hosts_none()}
          >
            {(hosts) => hosts.map(({ id, name }) => <CheckboxField key={id} name={id} label={name} />)}
          </LoadedList>
        </fieldset>
      )}
      <CheckboxField name="needs_second_factor" label={m.sharing_factor()} hint={m.sharing_factor_hint()} />
      <CheckboxField name="may_pass_on" label={m.sharing_pass_on()} hint={m.sharing_pass_on_hint()} />
    </FormDialog>
  )
}
