import { suspensionReasons } from '#features/hosts/rules.ts'
import { resumeHost, suspendHost } from '#features/licences/contract.ts'
import { TEXT_LENGTH } from '#features/licences/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'
import { refreshHosts } from './hooks.ts'

type Props = DialogProps & { host: { id: string; name: string; suspended: boolean } }

/** Suspends a server, or lifts its suspension. The customer reads the message. */
export const SuspendHost = (props: Props) =>
  props.host.suspended ? <Resume {...props} /> : <Suspend {...props} />

function Suspend({ host: { id: hostId, name }, ...dialog }: Props) {
  return (
    <CustomerActDialog
      {...dialog}
      about={hostId}
      title={m.customers_suspend_host_title({ name })}
      description={m.customers_suspend_host_text()}
      act={m.customers_suspend_host()}
      look="danger"
      send={(note, fields) => {
        const reason = suspensionReasons.find((one) => one === fields.text('cause')) ?? 'other'
        return call(suspendHost, { params: { hostId }, body: { reason, note, text: fields.text('message') } })
      }}
      done={() => {
        refreshHosts()
        return m.customers_suspend_host_done({ name })
      }}
      before={
        <SelectField
          name="cause"
          label={m.customers_cause()}
          defaultValue=""
          empty=""
          options={suspensionReasons.map((value) => ({ value, label: CAUSES[value]() }))}
          required
        />
      }
    >
      <TextAreaField
        name="message"
        label={m.customers_message()}
        hint={m.customers_suspend_host_hint()}
        rows={3}
        most={TEXT_LENGTH}
      />
    </CustomerActDialog>
  )
}

function Resume({ host: { id: hostId, name }, ...dialog }: Props) {
  return (
    <CustomerActDialog
      {...dialog}
      about={hostId}
      title={m.customers_resume_host_title({ name })}
      description={m.customers_resume_host_text()}
      act={m.customers_resume_host()}
      send={(note) => call(resumeHost, { params: { hostId }, query: { note } })}
      done={() => {
        refreshHosts()
        return m.customers_resume_host_done({ name })
      }}
    />
  )
}

const CAUSES = {
  charge_back: m.customers_suspend_charge_back,
  debt: m.customers_suspend_debt,
  abuse: m.customers_suspend_abuse,
  other: m.customers_suspend_other,
} as const
