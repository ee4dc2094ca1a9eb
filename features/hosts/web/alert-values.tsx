import type { AlertSettings, AlertsOfHost } from '#features/hosts/alert-contract.ts'
import type { Host } from '#features/hosts/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm, type FormError } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { saveAlertSettings, saveHostAlerts } from './alert-hooks.ts'
import { limitText, minutesText } from './alert-texts.ts'

/** The dialog with the values of one server. */
export function HostAlertValues({
  host,
  saved: { own, account },
  ...dialog
}: DialogProps & { host: Host; saved: AlertsOfHost }) {
  return (
    <Values
      {...dialog}
      title={m.hosts_alerts_title({ name: host.name })}
      saved={own}
      usual={account}
      save={(values) => saveHostAlerts(host.id, values)}
    />
  )
}

/** The dialog with the values of the account. */
export function AccountAlertValues({ saved, ...dialog }: DialogProps & { saved: AlertSettings }) {
  return (
    <Values
      {...dialog}
      title={m.hosts_alerts_all_title()}
      saved={saved}
      save={({ offline_minutes, disk_percent }) =>
        saveAlertSettings({
          offline_minutes: offline_minutes ?? saved.offline_minutes,
          disk_percent: disk_percent ?? saved.disk_percent,
        })
      }
    />
  )
}

type Own = AlertsOfHost['own']
type Props = DialogProps & {
  title: string
  saved: Own
  /** The values of the account, where a server may follow them. */
  usual?: AlertSettings
  save: (values: Own) => Promise<{ status: number } & FormError>
}

const MINUTES = [2, 5, 10, 15, 30, 60, 240, 1440]
const PERCENTS = [50, 60, 70, 80, 85, 90, 95, 99]

function Values({ title, saved, usual, save, open, onClose }: Props) {
  const form = useForm(async (fields) => {
    const answer = await save({
      offline_minutes: chosen(fields.text('offline_minutes')),
      disk_percent: chosen(fields.text('disk_percent')),
    })
    if (answer.status !== 200) return answer
    toastSuccess(() => m.hosts_alerts_saved())
    onClose()
    return undefined
  })
  const empty = (value: string | undefined) =>
    value === undefined ? {} : { empty: m.hosts_alerts_usual({ value }) }
  return (
    <FormDialog open={open} onClose={onClose} title={title} form={form} act={m.ui_save()} label={title}>
      <SelectField
        name="offline_minutes"
        label={m.hosts_alerts_offline()}
        defaultValue={String(saved.offline_minutes ?? '')}
        options={optionsOf(MINUTES, saved.offline_minutes, minutesText)}
        {...empty(usual && minutesText(usual.offline_minutes))}
      />
      <SelectField
        name="disk_percent"
        label={m.hosts_alerts_disk()}
        hint={m.hosts_alerts_disk_hint()}
        defaultValue={String(saved.disk_percent ?? '')}
        options={optionsOf(PERCENTS, saved.disk_percent, limitText)}
        {...empty(usual && limitText(usual.disk_percent))}
      />
    </FormDialog>
  )
}

const chosen = (text: string): number | null => (text === '' ? null : Number(text))

/** The usual values, the saved one if it is another, and off. */
function optionsOf(values: readonly number[], saved: number | null, write: (value: number) => string) {
  const all = new Set([...values, ...(saved === null ? [] : [saved])])
  const sorted = [...all].filter((value) => value !== 0).toSorted((one, other) => one - other)
  return [...sorted, 0].map((value) => ({ value: String(value), label: write(value) }))
}
