import CircleCheck from 'lucide-react/icons/circle-check'
import Megaphone from 'lucide-react/icons/megaphone'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { Button } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import type { Toast } from './toasts.ts'
import { closeToast, toastText } from './toasts.ts'

/** One toast. A click anywhere closes it; a closeable toast is closed by its button only (row T-02). */
export function ToastCard({ toast, onMore }: { toast: Toast; onMore: () => void }) {
  const { icon: Icon, colour } = LOOKS[toast.type]
  const close = () => closeToast(toast.id)
  const undo = () => {
    close()
    void toast.undo?.()
  }
  return (
    // A toast that closes on a click needs no key: it closes by itself after three seconds.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      data-toast={toast.type}
      onClick={toast.closeable ? undefined : close}
      className={classNames(
        'flex items-start gap-3 rounded-lg border border-line bg-raised p-4 text-sm text-text shadow-menu',
        !toast.closeable && 'cursor-pointer',
      )}
    >
      <Icon size={18} aria-hidden="true" className={classNames('mt-px shrink-0', colour)} />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <div className="contents">{toast.node ?? toastText(toast.message)}</div>
        {toast.extended === undefined ? null : (
          <div className="mt-2">
            <Button size="small" onClick={onMore}>
              {m.label_more()}
            </Button>
          </div>
        )}
        {toast.undo ? (
          <div className="mt-2">
            <Button size="small" onClick={undo}>
              {m.ui_undo()}
            </Button>
          </div>
        ) : null}
      </div>
      {toast.closeable ? (
        <button
          type="button"
          aria-label={m.ui_close()}
          onClick={close}
          className="-m-1 flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <X size={16} aria-hidden="true" />
        </button>
      ) : null}
    </div>
  )
}

/** A check for success, a warning triangle for errors, a megaphone for the rest (row T-01). */
const LOOKS = {
  success: { icon: CircleCheck, colour: 'text-success-text' },
  error: { icon: TriangleAlert, colour: 'text-danger-text' },
  warning: { icon: Megaphone, colour: 'text-warning-text' },
} as const
