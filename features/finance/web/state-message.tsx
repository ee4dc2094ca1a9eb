import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'

type Props = {
  tone: 'neutral' | 'success' | 'danger'
  icon: ReactNode
  title: string
  text: string
  onClose: () => void
  children?: ReactNode
}

/** The state of a payment, with what can be done about it. */
export function StateMessage({ tone, icon, title, text, onClose, children }: Props) {
  return (
    <div className={classNames('flex gap-3 rounded-lg border px-4 py-3.5 text-sm sm:px-5', TONES[tone])}>
      <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <p className="mt-0.5 text-pretty opacity-90">{text}</p>
        {children}
      </div>
      <div className="-my-1.5 -mr-2">
        <IconButton label={m.ui_close()} icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
      </div>
    </div>
  )
}

const TONES = {
  neutral: 'border-line bg-sunken text-text',
  success: 'border-transparent bg-success-soft text-success-text',
  danger: 'border-transparent bg-danger-soft text-danger-text',
} as const
