import type { Announcement } from '#features/announcements/contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { kindTexts, periodText, titleOf } from './kind-texts.ts'

export type Act = 'edit' | 'publish' | 'end'

type Props = { announcement: Announcement; onAct: (act: Act) => void }

/** A row of the list: one announcement, with buttons for the actions that are still possible. */
export function AnnouncementRow({ announcement, onAct }: Props) {
  const { kind, status, has_changes, by, created_at, ended_at } = announcement
  const facts = [
    kindTexts[kind](),
    periodText(announcement) ?? formatDateTime(created_at),
    ...(by ? [m.announcements_written_by({ name: by.name })] : []),
  ]
  const end =
    kind === 'incident' && status === 'published' ? m.announcements_resolve() : m.announcements_withdraw()
  return (
    <ListRow
      title={titleOf(announcement)}
      badge={
        <>
          <Badge tone={tones[status]}>{statusTexts[status]()}</Badge>
          {status === 'published' && has_changes ? (
            <Badge tone="warning">{m.announcements_changed()}</Badge>
          ) : null}
        </>
      }
      detail={facts.join(' · ')}
      actions={
        ended_at === null ? (
          <div className="flex flex-wrap justify-end gap-2">
            {has_changes ? (
              <Button size="small" look="primary" onClick={() => onAct('publish')}>
                {m.announcements_preview()}
              </Button>
            ) : null}
            <Button size="small" onClick={() => onAct('edit')}>
              {m.announcements_edit()}
            </Button>
            <Button size="small" onClick={() => onAct('end')}>
              {end}
            </Button>
          </div>
        ) : undefined
      }
    />
  )
}

const statusTexts = {
  draft: m.announcements_status_draft,
  published: m.announcements_status_published,
  resolved: m.announcements_status_resolved,
  cancelled: m.announcements_status_cancelled,
} as const

const tones: Readonly<Record<Announcement['status'], Tone>> = {
  draft: 'neutral',
  published: 'accent',
  resolved: 'success',
  cancelled: 'neutral',
}
