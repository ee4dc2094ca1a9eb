import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'

/** Asks when the old key stops: now, or after a day in which somebody gives software the new one. */
export const KeyEnd = () => (
  <SelectField
    name="end"
    label={m.hosts_key_end()}
    hint={m.hosts_key_end_hint()}
    defaultValue="later"
    options={[
      { value: 'later', label: m.hosts_key_end_later() },
      { value: 'now', label: m.hosts_key_end_now() },
    ]}
  />
)
