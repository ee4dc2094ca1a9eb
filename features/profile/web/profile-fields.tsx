import type { Profile } from '#features/profile/contract.ts'
import { fieldNames, fields } from '#features/profile/fields.ts'
import { columnSpans } from '#foundation/web/ui/column-spans.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'

type Props = { card: (typeof fields)[keyof typeof fields]['card']; profile: Profile }

/** The fields of a card, in the order of their list. The card lays them out in six columns. */
export const ProfileFields = ({ card, profile }: Props) =>
  fieldNames.map((name) => {
    const { most, label, fill, span, ...field } = fields[name]
    if (field.card !== card) return null
    return (
      <div key={name} className={columnSpans[span]}>
        <TextField
          name={name}
          label={label()}
          {...('hint' in field && { hint: field.hint() })}
          defaultValue={profile[name]}
          autoComplete={fill}
          most={most}
        />
      </div>
    )
  })
