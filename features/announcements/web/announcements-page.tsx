import { useInfiniteQuery } from '@tanstack/react-query'
import Megaphone from 'lucide-react/icons/megaphone'
import { useState } from 'react'
import {
  downloadNewsReaders,
  listAnnouncements,
  type Announcement,
} from '#features/announcements/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { useQueryValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { AnnouncementRow, type Act } from './announcement-row.tsx'
import { EditAnnouncement, NewAnnouncement } from './edit-announcement.tsx'
import { filterIn } from './draft.ts'
import { EndAnnouncement } from './end-announcement.tsx'
import { PublishAnnouncement } from './publish-announcement.tsx'

type Acting = { act: 'new' } | { act: Act; announcement: Announcement }

/** All announcements: drafts, those that customers read now, and earlier ones. */
export function AnnouncementsPage() {
  // A link with `?new` opens the form at once.
  const wantsNew = useQueryValue('new') !== undefined
  const given = useQueryValue('for')
  const filter = given !== undefined && filterIn(given) ? given : undefined
  const [acting, setActing] = useState<Acting | undefined>(wantsNew ? { act: 'new' } : undefined)
  const pages = useInfiniteQuery(pagedQueryFor(listAnnouncements, { query: {} }))
  useTitle(m.announcements_title())
  const write = (
    <>
      <DownloadButton
        text={m.announcements_news_readers()}
        fetching={() => download(downloadNewsReaders, { query: {} }, 'news-readers.csv')}
      />
      <Button look="primary" onClick={() => setActing({ act: 'new' })}>
        {m.announcements_new()}
      </Button>
    </>
  )
  return (
    <Page title={m.announcements_title()} description={m.announcements_description()} actions={write}>
      <LoadedList
        query={pages}
        failed={m.announcements_load_failed()}
        none={
          <EmptyState icon={<Megaphone size={20} aria-hidden="true" />} title={m.announcements_none()}>
            {m.announcements_none_text()}
          </EmptyState>
        }
      >
        {(announcements) => (
          <List label={m.announcements_title()}>
            {announcements.map((announcement) => (
              <AnnouncementRow
                key={announcement.id}
                announcement={announcement}
                onAct={(act) => setActing({ act, announcement })}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {acting ? (
        <Acts acting={acting} filter={filter} known={itemsOf(pages) ?? []} onActing={setActing} />
      ) : null}
    </Page>
  )
}

type ActsProps = {
  acting: Acting
  /** The filter of a list that the page was opened for. */
  filter: string | undefined
  known: readonly Announcement[]
  onActing: (acting: Acting | undefined) => void
}

/** The dialog that is open; saving leads on to the preview. */
function Acts({ acting, filter, known, onActing }: ActsProps) {
  const close = () => onActing(undefined)
  const preview = (announcement: Announcement) => onActing({ act: 'publish', announcement })
  if (acting.act === 'new') return <NewAnnouncement filter={filter} onClose={close} onSaved={preview} />
  // A version that a colleague saved meanwhile comes with the list.
  const latest = known.find(({ id }) => id === acting.announcement.id)
  const announcement = latest && latest.version > acting.announcement.version ? latest : acting.announcement
  const props = { announcement, onClose: close }
  if (acting.act === 'edit') return <EditAnnouncement {...props} onSaved={preview} />
  if (acting.act === 'publish') return <PublishAnnouncement {...props} />
  return <EndAnnouncement {...props} />
}
