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
  /** `picture` takes what the window has. */
  wide?: boolean | 'picture'
  /** False: neither Esc nor a click beside it closes the dialog, because what it shows is shown once. */
  dismissible?: boolean
  /** True for a dialog with nothing of its own but the frame, at the top of the window; the title is only read out. */
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
      // A second Esc closes it whatever `cancel` does (close requests need an act of the user in between): it opens again
      // where the owner, or the need to be read, keeps it open.
      onClose={(event) => {
        const element = event.currentTarget
        if (event.target !== element || element.open || !element.isConnected) return
        element.showModal()
        dismiss()
      }}
      onMouseDown={(event) => {
        if (!isBackdrop(event)) return
        // The press would then take the focus to the body, away from where closing put it.
        event.preventDefault()
        dismiss()
      }}
      className={classNames(
        bare ? 'mx-auto mt-[min(12vh,7rem)] mb-auto' : 'm-auto',
        'max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-0 text-text',
        'backdrop:bg-backdrop',
        wide === 'picture' ? 'max-w-5xl' : wide ? 'max-w-2xl' : 'max-w-md',
      )}
    >
      <div className={bare ? 'sr-only' : 'flex items-start justify-between gap-4 p-5 pb-0'}>
        <h2 id={`${id}-title`} className="text-lg font-semibold">
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
 * Buttons at the end of a dialog, always in sight: the rest scrolls above them, but in a low window, where they would
 * cover it. The last one comes first where they do not fit side by side.
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

/** The backdrop is the dialog's own area outside its box. */
function isBackdrop(event: MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  const insideX = event.clientX >= box.left && event.clientX <= box.right
  const insideY = event.clientY >= box.top && event.clientY <= box.bottom
  return !(insideX && insideY)
}
