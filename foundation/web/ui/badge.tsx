import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

type BadgeProps = { tone?: Tone; title?: string | undefined; children: ReactNode }
/** A state that takes a sentence may have several lines. */
type LongProps = { isLong?: boolean }

/** A word on a tinted ground: a state of a thing. */
export function Badge({ tone = 'neutral', title, isLong, children }: BadgeProps & LongProps) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex max-w-full items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium',
        !isLong && 'whitespace-nowrap',
        BADGES[tone],
      )}
    >
      {children}
    </span>
  )
}

/** A dot with a word for the presence of a thing. Only things that are online have a green dot. `title` says since when. */
export function StatusDot({ tone, title, children }: BadgeProps & { tone: Tone }) {
  return (
    <span title={title} className="inline-flex items-center gap-2 text-sm whitespace-nowrap">
      <span data-dot aria-hidden="true" className={classNames('size-2 shrink-0 rounded-full', DOTS[tone])} />
      {children}
    </span>
  )
}

const BADGES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-text',
  success: 'bg-success-soft text-success-text',
  warning: 'bg-warning-soft text-warning-text',
  danger: 'bg-danger-soft text-danger-text',
}

const DOTS: Readonly<Record<Tone, string>> = {
  neutral: 'bg-line-strong',
  accent: 'bg-accent',
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
}
