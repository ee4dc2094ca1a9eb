import { useMemo, useState } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { saveProfile } from './hooks.ts'
import { toastUpdateFailed } from './settings-hooks.ts'

/**
 * The time zone of times in mails. It takes effect without a button. All 400 zones load when the field is
 * used.
 */
export function TimeZoneChoice({ profile: { time_zone } }: { profile: Profile }) {
  const [wanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  const options = useMemo(() => {
    const zones = new Set([time_zone, ...(wanted ? Intl.supportedValuesOf('timeZone') : [])])
    return [...zones].toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') || '–' }))
  }, [time_zone, wanted])
  return (
    <SelectField
      name="time_zone"
      label={m.profile_time_zone()}
      hint={m.profile_time_zone_hint()}
      options={options}
      value={time_zone}
      onChange={(event) => void choose(event.target.value)}
      onPointerEnter={want}
      onPointerDown={want}
      onFocus={want}
    />
  )
}

async function choose(time_zone: string): Promise<void> {
  const answer = await saveProfile({ time_zone })
  if (answer.status === 200) toastSuccess(() => m.profile_saved())
  else toastUpdateFailed(answer)
}
