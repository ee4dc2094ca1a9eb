import { useEffect, useRef, useState } from 'react'
import { endView } from '#features/customers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { onAnswer } from '#foundation/web/api/events.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useSpaceAtEnd } from '#foundation/web/ui/space-at-end.ts'
import { m } from '#texts/messages.js'
import { leaveView, type StoredView } from './stored-view.ts'

/** The red frame around a viewed account, with the name of its customer, the time left, and a button that ends the view. */
export function ViewFrame({ view }: { view: StoredView }) {
  const { isOver, left } = useTimeLeft(view)
  const bar = useRef<HTMLDivElement>(null)
  useSpaceAtEnd(bar, true)
  const ending = useAct(async () => {
    // If the request does not arrive, the view ends when its time is over; this tab leaves it either way.
    if (!isOver) await call(endView, { params: { id: view.id } })
    leaveView(view.user_id)
  })
  return (
    <div
      role="region"
      aria-label={m.customers_view_frame()}
      className="pointer-events-none fixed inset-0 z-[1500] flex flex-col items-center justify-end border-4 border-danger pb-16 md:pb-2 low:pb-2 print:hidden"
    >
      <div
        ref={bar}
        className="pointer-events-auto flex max-w-full items-center gap-3 rounded-md bg-danger-soft px-3 py-1 text-sm text-danger-text shadow-menu"
      >
        {isOver ? (
          <p role="alert">{m.customers_view_over()}</p>
        ) : (
          <div className="min-w-0">
            <p className="truncate">{m.customers_view_of({ name: view.name })}</p>
            <p className="truncate text-xs">{left}</p>
          </div>
        )}
        <Button size="small" look="danger" pending={ending.pending} onClick={ending.run}>
          {isOver ? m.customers_view_back() : m.customers_view_end()}
        </Button>
      </div>
    </div>
  )
}

/** Returns the time left of a view, in words. Hides the pages of the account once the view is over. */
function useTimeLeft({ expires_at }: StoredView): { isOver: boolean; left: string } {
  const locale = useLocale()
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(expires_at) - Date.now()) / 1000))
  const [left_s, setLeft] = useState(secondsLeft)
  const [isEnded, setEnded] = useState(false)
  useEffect(() => {
    const ticking = setInterval(() => setLeft(secondsLeft()), 1000)
    const stop = onAnswer((answer) => answer.errors[0]?.code === 'view_ended' && setEnded(true))
    return () => {
      clearInterval(ticking)
      stop()
    }
  })
  const isOver = isEnded || left_s === 0
  useEffect(() => {
    const pages = document.querySelector<HTMLElement>('#root')
    if (pages) pages.hidden = isOver
  }, [isOver])
  const [value, unit] = left_s > 60 ? [Math.ceil(left_s / 60), 'minute'] : [left_s, 'second']
  const time = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  return { isOver, left: m.customers_view_left({ time }) }
}
