import { useEffect } from 'react'
import { onAnswer } from '#foundation/web/api/events.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { failProgress, useProgress } from './progress.ts'

/** The thin bar at the top of the window. It is hidden from screen readers, for which `RouteAnnouncer` announces each page. */
export function ProgressBar() {
  const { phase, percent, failed } = useProgress()
  useEffect(() => onAnswer(({ status }) => status >= 400 && failProgress()), [])
  return (
    <div
      aria-hidden="true"
      data-progress={phase}
      className={classNames(
        'pointer-events-none fixed inset-x-0 top-0 z-[1500] h-0.5 origin-left',
        failed ? 'bg-danger' : 'bg-accent',
        phase === 'hidden' ? 'invisible' : 'transition-[transform,opacity] duration-100 ease-linear',
        phase === 'fading' && 'opacity-0 duration-500',
      )}
      style={{ transform: `scaleX(${percent / 100})` }}
    />
  )
}
