import { firstPages } from '#features/profile/rules.ts'
import { firstPageTexts } from '#features/profile/texts.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { saveProfile } from './hooks.ts'
import { toastUpdateFailed } from './settings-hooks.ts'

/** The page on which a member of staff begins (row R-12). It takes effect without a button. */
export function FirstPageChoice({ chosen }: { chosen: string }) {
  return (
    <SelectField
      name="first_page"
      label={m.profile_first_page()}
      hint={m.profile_first_page_hint()}
      options={firstPages.map((value) => ({ value, label: firstPageTexts[value]() }))}
      value={chosen}
      onChange={(event) => void choose(event.target.value)}
    />
  )
}

async function choose(value: string): Promise<void> {
  const first_page = firstPages.find((known) => known === value)
  if (!first_page) return
  const answer = await saveProfile({ first_page })
  if (answer.status === 200) toastSuccess(() => m.profile_saved())
  else toastUpdateFailed(answer)
}
