import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { CheckboxField } from './checkbox-field.tsx'
import { itemsOf, LoadedList, type Pages } from './loaded-list.tsx'

type Named = { id: string; name: string }

type Props = {
  /** The title of the list: 'Choose servers'. */
  legend: string
  query: Pages<Named>
  failed: string
  none: string
  /** The ids that are chosen at first. */
  chosen?: readonly string[]
}

/** Things to choose from in a form, each a checkbox that is named after its id. They come in pages and scroll. */
export function CheckList({ legend, query, failed, none, chosen = [] }: Props) {
  return (
    <fieldset className="flex max-h-60 flex-col gap-3 overflow-y-auto">
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <LoadedList query={query} failed={failed} waiting="h-24" none={none}>
        {(items) =>
          items.map(({ id, name }) => (
            <CheckboxField key={id} name={id} label={name} defaultChecked={chosen.includes(id)} />
          ))
        }
      </LoadedList>
    </fieldset>
  )
}

/** Returns the ids that are checked in a `CheckList`, among those that are loaded. */
export const checkedIn = (query: Pages<Named>, fields: FormFields): string[] =>
  (itemsOf(query) ?? []).map(({ id }) => id).filter((id) => fields.checked(id))
