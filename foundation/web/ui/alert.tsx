import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'

type Props = {
  tone?: 'neutral' | 'success' | 'warning' | 'danger'
  /** True for a message that appears after the page has loaded: screen readers read it out at once (`alert`). */
  live?: boolean
  /** The icon in place of the exclamation mark. */
  icon?: ReactNode
  ref?: Ref<HTMLDivElement>
  children: ReactNode
}

/** A notice inside a page or a form. */
export function Alert({ tone = 'neutral', live, icon, ref, children }: Props) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role={live ? 'alert' : undefined}
      className={classNames('flex gap-3 rounded-md border px-4 py-3 text-sm', TONES[tone])}
    >
      {icon ?? <CircleAlert size={18} aria-hidden="true" className="mt-px shrink-0" />}
      <div className="min-w-0">{children}</div>
    </div>
  )
}

const TONES = {
  neutral: 'border-line bg-sunken text-text',
  success: 'border-transparent bg-success-soft text-success-text',
  warning: 'border-transparent bg-warning-soft text-warning-text',
  danger: 'border-transparent bg-danger-soft text-danger-text',
} as const
