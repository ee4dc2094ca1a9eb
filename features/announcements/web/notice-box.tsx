import CalendarClock from 'lucide-react/icons/calendar-clock'
import CircleCheck from 'lucide-react/icons/circle-check'
import Megaphone from 'lucide-react/icons/megaphone'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import type { Notice } from '#features/announcements/contract.ts'
import type { Locale } from '#foundation/locale.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { kindTexts, periodText } from './kind-texts.ts'

type Shown = Pick<Notice, 'kind' | 'title' | 'text' | 'starts_at' | 'ends_at'> &
  Partial<Pick<Notice, 'resolved_at' | 'resolution'>>

/** An announcement as its readers see it; `action` stands at its right. */
export function NoticeBox({ notice, locale, action }: { notice: Shown; locale: Locale; action?: ReactNode }) {
  const { kind, resolved_at = null, resolution = null } = notice
  const title = notice.title[locale]
  const state = resolved_at === null ? kind : 'resolved'
  const Icon = icons[state]
  const period = resolved_at === null ? periodText(notice) : undefined
  return (
    <div className={classNames('flex gap-3 rounded-md border px-4 py-3 text-sm', tones[state])}>
      <Icon size={18} aria-hidden="true" className="mt-px shrink-0" />
      <div lang={locale} className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="font-medium">
          {resolved_at === null ? `${kindTexts[kind]()}: ${title}` : m.announcements_resolved({ title })}
        </p>
        {period === undefined ? null : <p className="font-medium tabular-nums">{period}</p>}
        <p dir="auto" className="whitespace-pre-wrap">
          {resolution?.[locale] ?? notice.text[locale]}
        </p>
      </div>
      {action}
    </div>
  )
}

const icons = {
  maintenance: CalendarClock,
  incident: TriangleAlert,
  news: Megaphone,
  resolved: CircleCheck,
} as const

const tones = {
  maintenance: 'border-transparent bg-warning-soft text-warning-text',
  incident: 'border-transparent bg-danger-soft text-danger-text',
  news: 'border-line bg-sunken text-text',
  resolved: 'border-transparent bg-success-soft text-success-text',
} as const
