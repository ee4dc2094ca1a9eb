import { useState } from 'react'
import { finds } from '#foundation/search-text.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { useCombobox } from '#foundation/web/ui/combobox.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useColleagues } from './hooks.ts'

type Props = DialogProps & {
  /** Called when the list is closed without a choice; `typed` is the text in its field. */
  onLeave: (typed: string) => void
  onChoose: (name: string) => void
}

/** Finds a colleague by the typed part of a name; arrows choose, Enter puts the name into the note. */
export function MentionPicker({ open, onLeave, onChoose }: Props) {
  const [typed, setTyped] = useState('')
  const query = useColleagues()
  const me = storedSession.user()?.id
  const found = query.data?.items.filter(({ id, name }) => id !== me && name !== '' && finds(typed, name))
  const { field, list, option } = useCombobox({
    typed,
    onType: setTyped,
    items: found ?? [],
    onChoose: ({ name }) => onChoose(name),
  })
  return (
    <Dialog open={open} onClose={() => onLeave(typed)} title={m.desk_mention()}>
      <input {...field} aria-label={m.desk_mention_search()} placeholder={m.desk_mention_search()} />
      <div className="mt-3 empty:hidden">
        <Loaded query={query} failed={m.desk_colleagues_failed()} waiting={null} />
      </div>
      <div {...list} aria-label={m.desk_mention()} className="mt-3 max-h-80 overflow-y-auto">
        {found?.map((colleague) => {
          const one = option(colleague)
          return (
            <div
              key={colleague.id}
              {...one}
              className={classNames(
                'cursor-pointer rounded-md px-3 py-2 text-sm',
                one['aria-selected'] && 'bg-hover',
              )}
            >
              {colleague.name}
            </div>
          )
        })}
      </div>
      {found?.length === 0 ? <p className="mt-3 text-sm text-muted">{m.desk_none_found()}</p> : null}
    </Dialog>
  )
}
