import type { Profile } from '#features/profile/contract.ts'
import { fieldNames, fields } from '#features/profile/fields.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'

type Props = { card: (typeof fields)[keyof typeof fields]['card']; profile: Profile }

/** The fields of a card, in the order of their list. The card lays them out in six columns. */
export const ProfileFields = ({ card, profile }: Props) =>
  fieldNames.map((name) => {
    const { most, label, fill, span, ...field } = fields[name]
    if (field.card !== card) return null
    return (
      <div key={name} className={SPANS[span]}>
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

const SPANS = { 2: 'sm:col-span-2', 3: 'sm:col-span-3', 4: 'sm:col-span-4', 6: 'sm:col-span-6' } as const
