import { useState } from 'react'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import type { LazyComponent } from './lazy-page.tsx'
import { useAct } from './use-act.ts'

export type DialogProps = { open: boolean; onClose: () => void }

/**
 * A dialog whose code is loaded on demand: `const order = useLazyDialog(OrderDialog)`, a button with `{...order.opener}`,
 * and `{order.open ? <OrderDialog {...order.dialog} /> : null}`. The code is fetched when the pointer or the focus reaches
 * the button. If it cannot be loaded, a toast says so, and the page stays as it is.
 */
export function useLazyDialog<Props extends DialogProps>(Dialog: LazyComponent<Props>) {
  const [open, setOpen] = useState(false)
  const fetchAhead = () => void Dialog.preload().catch(() => {})
  const { pending, run } = useAct(async () => {
    try {
      await Dialog.preload()
      setOpen(true)
    } catch {
      dialogFailed()
    }
  })
  // A dialog that is loaded opens within the press itself, without a rendering for the wait.
  const show = () => (Dialog.isLoaded() ? setOpen(true) : run())
  return {
    open,
    show,
    dialog: { open, onClose: () => setOpen(false) },
    opener: { onClick: show, onPointerEnter: fetchAhead, onFocus: fetchAhead, pending },
  }
}

/** Says that the code of a dialog could not be fetched. */
export function dialogFailed(): void {
  toastError(() => (navigator.onLine ? m.ui_dialog_failed() : m.error_network()))
}
