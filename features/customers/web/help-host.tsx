import { useState } from 'react'
import { changeHostAddresses, offerForCustomer, resetAddressChanges } from '#features/hosts/contract.ts'
import { resetReleases } from '#features/licences/web/licences.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'
import { refreshHosts } from './hooks.ts'

type Props = DialogProps & { host: CustomerCard['hosts']['items'][number] }

const acts = ['addresses', 'changes', 'releases', 'transfer'] as const
type Act = (typeof acts)[number]

/** Helps a customer with a server: other addresses, or new changes of them, or new releases of machines, or a transfer. */
export function HelpHost({ host, ...dialog }: Props) {
  const [act, setAct] = useState<Act>('addresses')
  const params = { hostId: host.id }
  return (
    <CustomerActDialog<AnswerStatus>
      {...dialog}
      about={host.id}
      title={m.customers_help_host_title({ name: host.name })}
      description={m.customers_help_host_text()}
      act={ACTS[act]()}
      send={(note, fields) => {
        if (act === 'changes') return call(resetAddressChanges, { params, query: { note } })
        if (act === 'releases') return call(resetReleases, { params, query: { note } })
        if (act === 'transfer')
          return call(offerForCustomer, { params, body: { email: fields.text('email'), note } })
        const [ipv4, ipv6] = [fields.text('ipv4') || null, fields.text('ipv6') || null]
        const from = { ipv4: host.ipv4, ipv6: host.ipv6 }
        return call(changeHostAddresses, { params, body: { ipv4, ipv6, from, note } })
      }}
      done={() => {
        refreshHosts()
        return m.customers_help_host_done({ name: host.name })
      }}
      before={
        <>
          <SelectField
            name="act"
            label={m.customers_help_host_act()}
            value={act}
            onChange={(event) => setAct(acts.find((one) => one === event.target.value) ?? 'addresses')}
            options={acts.map((value) => ({ value, label: ACTS[value]() }))}
          />
          {act === 'addresses' ? (
            <>
              <TextField
                name="ipv4"
                label={m.customers_help_host_ipv4()}
                defaultValue={host.ipv4 ?? ''}
                autoComplete="off"
                inputMode="decimal"
              />
              <TextField
                name="ipv6"
                label={m.customers_help_host_ipv6()}
                defaultValue={host.ipv6 ?? ''}
                autoComplete="off"
              />
            </>
          ) : null}
          {act === 'transfer' ? (
            <TextField
              name="email"
              type="email"
              label={m.customers_help_host_email()}
              hint={m.customers_help_host_email_hint()}
              autoComplete="off"
              required
            />
          ) : null}
        </>
      }
    />
  )
}

const ACTS: Record<Act, () => string> = {
  addresses: m.customers_help_host_addresses,
  changes: m.customers_help_host_changes,
  releases: m.customers_help_host_releases,
  transfer: m.customers_help_host_transfer,
}
