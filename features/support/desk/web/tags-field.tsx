import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { tagLimits, tagOf } from '#features/support/tickets/rules.ts'
import { finds } from '#foundation/search-text.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { useCombobox } from '#foundation/web/ui/combobox.ts'
import { Field } from '#foundation/web/ui/field.tsx'
import { m } from '#texts/messages.js'
import { useTags } from './hooks.ts'

type Props = {
  name: string
  label: string
  chosen: readonly string[]
  onChange: (tags: readonly string[]) => void
}

const SHOWN = 6

/** Tags that are chosen by typing: known ones are offered, Enter or a comma adds a new one, and a button takes one away. */
export function TagsField({ name, label, chosen, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const { data } = useTags()
  const tag = tagOf(typed)
  const known = (data?.items ?? []).filter(({ name: one }) => !chosen.includes(one))
  const fitting = tag === undefined ? [] : known.filter((one) => finds(tag, one.name)).slice(0, SHOWN)
  const isNew = tag !== undefined && !chosen.includes(tag) && known.every((one) => one.name !== tag)
  const items = [...fitting.map((one) => one.name), ...(isNew ? [tag] : [])].map((id) => ({ id }))
  const add = (given: string | undefined) => {
    if (given !== undefined) onChange([...new Set([...chosen, given])])
    setTyped('')
  }
  const { field, list, option } = useCombobox({
    typed,
    onType: (text) => (text.includes(',') ? add(tagOf(text.replaceAll(',', ' '))) : setTyped(text)),
    items,
    onChoose: ({ id }) => add(id),
  })
  return (
    <div className="flex flex-col gap-2">
      <Field name={name} label={label} hint={m.desk_tags_hint({ count: tagLimits.each })}>
        {(control) => <input {...control} {...field} />}
      </Field>
      <div {...list} aria-label={label} className="empty:hidden">
        {items.map((item) => (
          <div
            key={item.id}
            {...option(item)}
            className={classNames(
              'cursor-pointer truncate rounded-md px-3 py-1.5 text-sm',
              option(item)['aria-selected'] && 'bg-hover',
            )}
          >
            {isNew && item.id === tag ? m.desk_tag_new({ tag }) : item.id}
          </div>
        ))}
      </div>
      <ul aria-label={m.desk_tags_chosen()} className="flex flex-wrap gap-1.5 empty:hidden">
        {chosen.map((one) => (
          <li key={one} className="flex max-w-full">
            <button
              type="button"
              aria-label={m.desk_tag_remove({ tag: one })}
              onClick={() => onChange(chosen.filter((other) => other !== one))}
              className="inline-flex min-h-7 max-w-full cursor-pointer items-center gap-1 rounded bg-hover px-2 text-sm hover:bg-accent-soft"
            >
              <bdi className="truncate">{one}</bdi>
              <X size={14} aria-hidden="true" className="shrink-0" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the chosen tags with the one that is still in the field. */
export function tagsIn(
  fields: { text: (name: string) => string },
  name: string,
  chosen: readonly string[],
): string[] {
  const typed = tagOf(fields.text(name))
  return [...new Set([...chosen, ...(typed === undefined ? [] : [typed])])]
}
