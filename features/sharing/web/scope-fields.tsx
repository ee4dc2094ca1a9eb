import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { getFinances } from '#features/finance/contract.ts'
import { useHostsByName } from '#features/hosts/web/hosts.ts'
import { limits } from '#features/sharing/limits.ts'
import { helperRoles, mayActAs, seeMoney, spendMoney, type HelperRole } from '#foundation/capability.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { CheckList, checkedIn } from '#foundation/web/ui/check-list.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { LimitFields, limitsIn } from './limits.tsx'
import { roleName, roleText } from './role-text.ts'

type Scope = { role: HelperRole; all_hosts: boolean; host_ids?: string[] } & ReturnType<
  typeof limitsIn
>['wished']

/** The fields for the role, the servers and the limits of a new helper or token, and what was chosen in them. */
export function useScope(): {
  role: HelperRole
  fields: ReactNode
  scopeIn: (fields: FormFields) => { scope: Scope; errors: ReturnType<typeof limitsIn>['errors'] }
} {
  const [role, setRole] = useState<HelperRole>('technical')
  const [all, setAll] = useState(true)
  const pages = useHostsByName()
  const currency = useQuery(queryFor(getFinances)).data?.balance.currency ?? 'EUR'
  const hasAll = all || mayActAs(role, seeMoney)
  const scopeIn = (fields: FormFields) => {
    const typed = Object.fromEntries(limits.map(({ name }) => [name, fields.text(name)]))
    const { wished, errors } = limitsIn(typed, currency)
    const host_ids = checkedIn(pages, fields)
    return { scope: { role, all_hosts: hasAll, ...(hasAll ? {} : { host_ids }), ...wished }, errors }
  }
  const fields = (
    <>
      <SelectField
        name="role"
        label={m.sharing_role()}
        hint={roleText(role)}
        value={role}
        options={helperRoles.map((value) => ({ value, label: roleName(value) }))}
        onChange={(event) => setRole(helperRoles.find((one) => one === event.target.value) ?? 'technical')}
      />
      {mayActAs(role, spendMoney) ? <LimitFields currency={currency} /> : null}
      {mayActAs(role, seeMoney) ? null : (
        <CheckboxField
          name="all_hosts"
          label={m.sharing_all()}
          checked={all}
          onChange={(event) => setAll(event.target.checked)}
        />
      )}
      {hasAll ? null : (
        <div className="pl-8">
          <CheckList
            legend={m.sharing_some()}
            query={pages}
            failed={m.sharing_hosts_failed()}
            none={m.sharing_hosts_none()}
          />
        </div>
      )}
    </>
  )
  return { role, fields, scopeIn }
}
