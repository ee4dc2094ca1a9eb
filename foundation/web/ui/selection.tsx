import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { onLongPress } from '#foundation/web/long-press.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type BoxProps = {
  label: string
  isChosen: boolean
  /** True if something in the list is selected: phones then show all boxes. */
  isSelecting: boolean
  onToggle: (withShift: boolean) => void
}

/** The box that selects a row of a list: before the row on wide screens; on a phone it comes with the first long press on a row. */
export function SelectBox({ label: name, isChosen, isSelecting, onToggle }: BoxProps) {
  const label = useRef<HTMLLabelElement>(null)
  const press = useEffectEvent(() => onToggle(false))
  useEffect(() => {
    const row = label.current?.closest('li')
    return row ? onLongPress(row, () => press()) : undefined
  }, [])
  return (
    // A click on the row leads to the page of its thing; a click on the box must not.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <label
      ref={label}
      onClick={(event) => event.stopPropagation()}
      className={classNames(boxClass, !isSelecting && '@max-xl:not-focus-within:sr-only')}
    >
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ nativeEvent }) => onToggle('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
        aria-label={name}
        className="size-5 cursor-pointer accent-accent"
      />
    </label>
  )
}

const boxClass =
  'relative z-10 col-span-2 flex cursor-pointer items-center @max-xl:min-h-6 @xl:absolute @xl:inset-y-0 @xl:left-0 @xl:w-12 @xl:justify-center'

type FrameProps = {
  label: string
  /** The number of selected rows, in words. */
  count: string
  all: string
  none: string
  onAll: () => void
  onNone: () => void
  /** A line above the rest. */
  above?: ReactNode
  /** The acts for the selected rows. */
  children: ReactNode
}

/** The bar below a list with the acts for the selected rows. */
export const SelectionFrame = ({ label, count, all, none, onAll, onNone, above, children }: FrameProps) => (
  <section
    aria-label={label}
    className="sticky at-foot z-10 mt-4 flex flex-wrap items-center gap-x-2 gap-y-2 rounded-lg border border-line bg-raised px-4 py-3 text-sm shadow-menu"
  >
    {above}
    <p role="status" className="font-medium">
      {count}
    </p>
    <Button size="small" look="quiet" onClick={onAll}>
      {all}
    </Button>
    <Button size="small" look="quiet" onClick={onNone}>
      {none}
    </Button>
    <div className="flex flex-wrap gap-2 sm:ml-auto">{children}</div>
  </section>
)
