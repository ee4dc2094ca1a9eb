import { useEffect, useRef } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { onLongPress } from '#foundation/web/long-press.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { chooseUpTo, toggle, useChosen } from './chosen.ts'

/**
 * The box that selects a ticket: before its row on wide screens; on a phone it comes with the first long press on a row. With Shift it
 * selects all from the last one on.
 */
export function SelectTicket({ ticket, listed }: { ticket: Ticket; listed: readonly string[] }) {
  const { ids } = useChosen()
  const label = useRef<HTMLLabelElement>(null)
  useEffect(() => {
    const row = label.current?.closest('li')
    return row ? onLongPress(row, () => toggle(ticket.id)) : undefined
  }, [ticket.id])
  return (
    // A click on the row leads to the page of the ticket; a click on the box must not.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <label
      ref={label}
      onClick={(event) => event.stopPropagation()}
      className={classNames(boxClass, ids.size === 0 && '@max-xl:not-focus-within:sr-only')}
    >
      <input
        type="checkbox"
        checked={ids.has(ticket.id)}
        onChange={({ nativeEvent }) =>
          'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
            ? chooseUpTo(ticket.id, listed)
            : toggle(ticket.id)
        }
        aria-label={m.desk_select({ number: String(ticket.number) })}
        className="size-5 cursor-pointer accent-accent"
      />
    </label>
  )
}

const boxClass =
  'relative z-10 col-span-2 flex cursor-pointer items-center @max-xl:min-h-6 @xl:absolute @xl:inset-y-0 @xl:left-0 @xl:w-12 @xl:justify-center'
