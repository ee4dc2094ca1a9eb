import { useState } from 'react'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { snoozeKinds, snoozeTime, type SnoozeKind } from './snooze-times.ts'

/** The choice of the end of a sleep. The browser's select serves keyboards and phones alike. */
export function SnoozeFields() {
  const [kind, setKind] = useState('tomorrow')
  const [now] = useState(() => new Date())
  return (
    <>
      <SelectField
        name="snooze"
        label={m.desk_snooze_end()}
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        options={[
          ...snoozeKinds.map((value) => ({
            value,
            label: TEXTS[value]({ time: formatDateTime(snoozeTime(value, now).toISOString()) }),
          })),
          { value: 'answer', label: m.desk_snooze_answer() },
          { value: 'own', label: m.desk_snooze_own() },
        ]}
      />
      {kind === 'own' ? (
        <TextField name="until" type="datetime-local" label={m.desk_snooze_time()} required />
      ) : null}
      <p className="text-sm text-muted">{m.desk_snooze_hint()}</p>
    </>
  )
}

const TEXTS: Readonly<Record<SnoozeKind, (values: { time: string }) => string>> = {
  hours: m.desk_snooze_hours,
  tomorrow: m.desk_snooze_tomorrow,
  monday: m.desk_snooze_monday,
  week: m.desk_snooze_week,
}

/** Returns the chosen time in RFC 3339, or undefined for a sleep until the customer answers. */
export function snoozeOf(fields: { text: (name: string) => string }): string | undefined {
  const chosen = fields.text('snooze')
  if (chosen === 'answer') return undefined
  if (chosen === 'own') return new Date(fields.text('until')).toISOString()
  const kind = snoozeKinds.find((one) => one === chosen)
  return kind && snoozeTime(kind, new Date()).toISOString()
}
