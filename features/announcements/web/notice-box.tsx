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

type Props = { notice: Shown; locale: Locale; isOpen?: boolean; action?: ReactNode }

/** An announcement as its readers see it: one line, with its text behind 'More'. `action` stands at its right. */
export function NoticeBox({ notice, locale, isOpen, action }: Props) {
  const { kind, resolved_at = null, resolution = null } = notice
  const title = notice.title[locale]
  const state = resolved_at === null ? kind : 'resolved'
  const Icon = icons[state]
  const period = resolved_at === null ? periodText(notice) : undefined
  return (
    <div
      className={classNames(
        '@container flex items-start gap-3 rounded-md border px-4 py-2.5 text-sm',
        tones[state],
      )}
    >
      <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <details open={isOpen} lang={locale} className="group min-w-0 flex-1 [overflow-wrap:anywhere]">
        <summary className="flex min-h-6 cursor-pointer list-none items-center gap-x-3">
          <span className="min-w-0 truncate font-medium group-open:whitespace-normal">
            {resolved_at === null ? `${kindTexts[kind]()}: ${title}` : m.announcements_resolved({ title })}
          </span>
          {period === undefined ? null : <span className="shrink-0 @max-xl:hidden">{period}</span>}
          <span className="ml-auto shrink-0 underline underline-offset-2 group-open:hidden">
            {m.label_more()}
          </span>
        </summary>
        {period === undefined ? null : <p className="@xl:hidden">{period}</p>}
        <p dir="auto" className="whitespace-pre-wrap">
          {resolution?.[locale] ?? notice.text[locale]}
        </p>
      </details>
      {action ? <div className="-my-1.5 -mr-2 flex">{action}</div> : null}
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
