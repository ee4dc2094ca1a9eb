import X from 'lucide-react/icons/x'
import { useId, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { useModal } from '#foundation/web/use-modal.ts'
import { m } from '#texts/messages.js'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

type Props = {
  open: boolean
  /** Called by Esc, the backdrop and the cross; the owner then sets `open` to false. */
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** True for a wider dialog; `picture` for the widest. */
  wide?: boolean | 'picture'
  /** False if neither Esc nor a click beside the dialog closes it, because it shows something that is shown only once. */
  dismissible?: boolean
  /** True for a dialog at the top of the window that has only a frame; its title is hidden and read out. */
  bare?: boolean
  children?: ReactNode
}

/** The browser's own modal dialog: it traps the focus, restores it on closing and lies above everything. */
export function Dialog({ open, ...rest }: Props) {
  return open ? <OpenDialog {...rest} /> : null
}

function OpenDialog({
  onClose,
  title,
  description,
  wide,
  dismissible = true,
  bare,
  children,
}: Omit<Props, 'open'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal(dialog)
  const dismiss = () => {
    if (dismissible) onClose()
  }

  return (
    // Keyboards close it by Esc; the click on the backdrop is for pointers.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        dismiss()
      }}
      // A second Esc without another user action in between closes the dialog, whatever the `cancel` handler does. It is opened again;
      // then its owner decides if it closes.
      onClose={(event) => {
        const element = event.currentTarget
        if (event.target !== element || element.open || !element.isConnected) return
        element.showModal()
        dismiss()
      }}
      onMouseDown={(event) => {
        if (!isBackdrop(event)) return
        // Otherwise the press would move the focus to the body, away from the element that gets it when the dialog closes.
        event.preventDefault()
        dismiss()
      }}
      className={classNames(
        bare ? 'mx-auto mt-[min(12vh,7rem)] mb-auto' : 'm-auto',
        'max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-0 text-text',
        // The padding keeps a field that takes the focus above the buttons, which stay in sight.
        'scroll-pb-36 backdrop:bg-backdrop',
        wide === 'picture' ? 'max-w-5xl' : wide ? 'max-w-2xl' : 'max-w-md',
      )}
    >
      <div className={bare ? 'sr-only' : 'flex items-start justify-between gap-4 p-5 pb-0'}>
        <h2 id={`${id}-title`} className="min-w-0 text-lg font-semibold wrap-anywhere">
          {title}
        </h2>
        {bare ? null : (
          <div className="-mt-1 -mr-2">
            <IconButton label={m.ui_close()} icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
          </div>
        )}
      </div>
      {description ? (
        <p id={`${id}-description`} className="px-5 pt-1 text-sm text-muted">
          {description}
        </p>
      ) : null}
      <div className={bare ? undefined : 'p-5'}>{children}</div>
    </dialog>
  )
}

type ActionsProps = {
  /** The effect and price of the button, shown beside it so that nobody has to scroll for them. */
  summary?: ReactNode
  children: ReactNode
}

/**
 * The buttons at the end of a dialog. They stay in sight while the content scrolls, except in a low window, where they would
 * cover the content. If they do not fit side by side, the last one is on top.
 */
export function DialogActions({ summary, children }: ActionsProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-5 mt-2 -mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line bg-raised px-5 py-3.5 low:static">
      {summary}
      <div className="ml-auto flex flex-wrap-reverse justify-end gap-2 max-sm:w-full max-sm:*:h-auto max-sm:*:min-h-11 max-sm:*:max-w-full max-sm:*:flex-auto max-sm:*:whitespace-normal">
        {children}
      </div>
    </div>
  )
}

/** True if the event is on the backdrop, which belongs to the dialog element but is outside its box. */
function isBackdrop(event: MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  const insideX = event.clientX >= box.left && event.clientX <= box.right
  const insideY = event.clientY >= box.top && event.clientY <= box.bottom
  return !(insideX && insideY)
}
