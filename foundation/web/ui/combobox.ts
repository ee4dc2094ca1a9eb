import { useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { controlClass } from './control-class.ts'

type Wanted<Item> = {
  typed: string
  onType: (text: string) => void
  /** Options that match the text. */
  items: readonly Item[]
  onChoose: (item: Item) => void
}

/**
 * A choice by typing (WAI-ARIA combobox): the field keeps the focus, arrows walk through the matching options, Enter chooses one.
 * Returns the properties of the `<input>` (`field`), of the element around the options (`list`) and of each option (`option(item)`).
 */
export function useCombobox<Item extends { id: string }>({ typed, onType, items, onChoose }: Wanted<Item>) {
  const id = useId()
  const [at, setAt] = useState(0)
  const chosen = items[Math.min(at, items.length - 1)]
  const idOf = (item: Item) => `${id}-${item.id}`
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step && chosen) setAt((items.indexOf(chosen) + step + items.length) % items.length)
    else if (event.key === 'Enter' && chosen) onChoose(chosen)
    else return
    event.preventDefault()
  }
  return {
    field: {
      role: 'combobox',
      'aria-expanded': true,
      'aria-controls': id,
      'aria-activedescendant': chosen && idOf(chosen),
      autoComplete: 'off',
      value: typed,
      onChange: (event: { target: { value: string } }) => {
        onType(event.target.value)
        setAt(0)
      },
      onKeyDown,
      className: controlClass,
    },
    list: { id, role: 'listbox' },
    /** Options handle no keys: the field does. */
    option: (item: Item) => ({
      id: idOf(item),
      role: 'option',
      'aria-selected': item === chosen,
      ref: item === chosen ? bringIntoView : undefined,
      onClick: () => onChoose(item),
      onPointerMove: item === chosen ? undefined : () => setAt(items.indexOf(item)),
    }),
  }
}

export type ComboboxOption = ReturnType<ReturnType<typeof useCombobox>['option']>

/** A dialog that has yet to open begins at its first option; to look for it there would lay the whole page out once more. */
const bringIntoView = (element: HTMLElement | null): void => {
  if (!element?.closest('dialog:not([open])')) element?.scrollIntoView({ block: 'nearest' })
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
