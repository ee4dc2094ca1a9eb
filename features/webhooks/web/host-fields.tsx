import { useState, type ReactNode } from 'react'
import { useHostsByName } from '#features/hosts/web/hosts.ts'
import type { Endpoint } from '#features/webhooks/contract.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { CheckList, checkedIn } from '#foundation/web/ui/check-list.tsx'
import { itemsOf } from '#foundation/web/ui/loaded-list.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'

type HostFields = { fields: ReactNode; hostsIn: (fields: FormFields) => readonly string[] | undefined }

/**
 * The servers that an endpoint hears of: all, or some. `hostsIn` is undefined where none was chosen of some. Servers further down the list than
 * it is loaded stay chosen.
 */
export function useHostFields(endpoint: Endpoint | undefined): HostFields {
  const before = endpoint?.host_ids ?? []
  const [which, setWhich] = useState(before.length > 0 ? 'some' : 'all')
  const pages = useHostsByName()
  const hostsIn = (fields: FormFields) => {
    if (which === 'all') return []
    const loaded = (itemsOf(pages) ?? []).map(({ id }) => id)
    const hidden = before.filter((id) => !loaded.includes(id))
    const chosen = [...checkedIn(pages, fields), ...hidden]
    return chosen.length === 0 ? undefined : chosen
  }
  const fields = (
    <>
      <SelectField
        name="hosts"
        label={m.webhooks_hosts()}
        value={which}
        onChange={({ target }) => setWhich(target.value)}
        options={[
          { value: 'all', label: m.webhooks_all_hosts() },
          { value: 'some', label: m.webhooks_some_hosts() },
        ]}
      />
      {which === 'all' ? null : (
        <CheckList
          legend={m.webhooks_some_hosts()}
          query={pages}
          failed={m.webhooks_hosts_failed()}
          none={m.webhooks_hosts_none()}
          chosen={before}
        />
      )}
    </>
  )
  return { fields, hostsIn }
}
