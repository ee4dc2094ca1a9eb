import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { callsOf, type Side } from './calls.ts'
import { useHostFields } from './host-fields.tsx'

/** The fields of an endpoint, and what stands in them. */
export function useEndpointFields(side: Side, endpoint?: Endpoint) {
  const query = useQuery(queryFor(callsOf(side).list))
  const [which, setWhich] = useState(endpoint && endpoint.types.length > 0 ? 'some' : 'all')
  const hosts = useHostFields(endpoint)
  const known = query.data?.types ?? []
  const wishIn = (fields: FormFields) => {
    const some = known.filter((type) => fields.checked(`type-${type}`))
    const host_ids = side === 'own' ? hosts.hostsIn(fields) : []
    const errors = [
      ...(which === 'some' && some.length === 0 ? [{ code: 'required' as const, param: 'which' }] : []),
      ...(host_ids ? [] : [{ code: 'required' as const, param: 'hosts' }]),
    ]
    const body = {
      url: fields.text('url'),
      description: fields.text('description'),
      types: which === 'some' ? some : [],
      ...(side === 'own' && host_ids && { host_ids: [...host_ids] }),
    }
    return { body, errors }
  }
  const fields = (
    <>
      <TextField
        name="url"
        label={m.webhooks_url()}
        hint={m.webhooks_url_hint()}
        defaultValue={endpoint?.url}
        inputMode="url"
        autoComplete="off"
        mono
        required
      />
      <TextField
        name="description"
        label={m.webhooks_description()}
        hint={m.webhooks_description_hint()}
        defaultValue={endpoint?.description}
        autoComplete="off"
      />
      <SelectField
        name="which"
        label={m.webhooks_types()}
        value={which}
        onChange={({ target }) => setWhich(target.value)}
        options={[
          { value: 'all', label: m.webhooks_all_types() },
          { value: 'some', label: m.webhooks_some_types() },
        ]}
      />
      {which === 'some' ? (
        <Loaded query={query} failed={m.webhooks_failed()} waiting="h-40">
          {({ types }) => (
            <fieldset className="max-h-64 overflow-y-auto rounded-md border border-line bg-sunken px-4 py-3">
              <legend className="sr-only">{m.webhooks_types()}</legend>
              <div className="grid gap-2">
                {types.map((type) => (
                  <CheckboxField
                    key={type}
                    name={`type-${type}`}
                    label={<code className="font-mono text-xs">{type}</code>}
                    defaultChecked={endpoint?.types.includes(type)}
                  />
                ))}
              </div>
            </fieldset>
          )}
        </Loaded>
      ) : null}
      {side === 'own' ? <div className="contents">{hosts.fields}</div> : null}
    </>
  )
  return { fields, wishIn }
}
