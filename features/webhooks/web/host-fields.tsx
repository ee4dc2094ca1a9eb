import { useState, type ReactNode } from 'react'
import { useHostsByName } from '#features/hosts/web/hosts.ts'
import type { Endpoint } from '#features/webhooks/contract.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
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
    const chosen = [...loaded.filter((id) => fields.checked(`host-${id}`)), ...hidden]
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
        <fieldset className="max-h-64 overflow-y-auto rounded-md border border-line bg-sunken px-4 py-3">
          <legend className="sr-only">{m.webhooks_hosts()}</legend>
          <LoadedList
            query={pages}
            failed={m.webhooks_hosts_failed()}
            waiting="h-24"
            none={m.webhooks_hosts_none()}
          >
            {(hosts) => (
              <div className="grid gap-2">
                {hosts.map(({ id, name }) => (
                  <CheckboxField
                    key={id}
                    name={`host-${id}`}
                    label={name}
                    defaultChecked={before.includes(id)}
                  />
                ))}
              </div>
            )}
          </LoadedList>
        </fieldset>
      )}
    </>
  )
  return { fields, hostsIn }
}
