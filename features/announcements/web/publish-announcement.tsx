import { useQuery } from '@tanstack/react-query'
import {
  countRecipients,
  listAnnouncements,
  publishAnnouncement,
  type Announcement,
} from '#features/announcements/contract.ts'
import { faultsOf, languagesOf } from '#features/announcements/rules.ts'
import { locales } from '#foundation/locale.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { NoticeBox } from './notice-box.tsx'

type Props = { announcement: Announcement; onClose: () => void }

/** Shows the announcement as customers would read it in each language, and their number, before it is published. */
export function PublishAnnouncement({ announcement, onClose }: Props) {
  const { id, version, mail } = announcement
  const params = { announcementId: id }
  const reach = useQuery({ ...queryFor(countRecipients, { params }), staleTime: 0 }).data
  const missing = missingIn(announcement)
  const intend = useIntention()
  const form = useForm(async () => {
    const body = { version }
    const answer = await intend({ id, version }, (headers) =>
      call(publishAnnouncement, { params, headers, body }),
    )
    refreshQueries(listAnnouncements)
    if (answer.errors.length > 0) return answer
    toastSuccess(answer.status === 202 ? m.announcements_waiting_done : m.announcements_published_done)
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={m.announcements_publish_title()}
      form={form}
      act={m.announcements_publish()}
      {...(missing.length > 0 && {
        actions: (
          <DialogActions>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
          </DialogActions>
        ),
      })}
    >
      {languagesOf(announcement.scope).map((locale) => (
        <section key={locale} className="flex flex-col gap-1.5">
          <h3 className="text-sm font-medium">{localeNames[locale]}</h3>
          <NoticeBox notice={announcement} locale={locale} isOpen />
        </section>
      ))}
      {missing.length > 0 ? (
        <Alert tone="danger">
          <p className="font-medium">{m.announcements_missing()}</p>
          <ul>
            {missing.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
      <p role="status" className="min-h-10 text-sm text-muted sm:min-h-5">
        {reach ? (
          <span>
            {mail
              ? m.announcements_reach({ count: reach.customers, mails: reach.mails })
              : m.announcements_reach_page({ count: reach.customers })}
          </span>
        ) : null}
        {reach?.needs_approval ? <span>{` ${m.announcements_needs_approval()}`}</span> : null}
      </p>
    </FormDialog>
  )
}

/** Returns the faults that keep the announcement from being published, one line of text for each. */
function missingIn({ starts_at, ends_at, ...announcement }: Announcement): string[] {
  const timeOf = (time: string | null) => (time === null ? null : new Date(time))
  const times = { starts_at: timeOf(starts_at), ends_at: timeOf(ends_at) }
  const faults = faultsOf({ ...announcement, ...times }, new Date())
  const lines = faults.map(({ code, param }) => {
    const locale = locales.find((known) => param.endsWith(`.${known}`))
    if (locale) return m.announcements_missing_words({ language: localeNames[locale] })
    return code === 'invalid' ? m.announcements_missing_end() : m.announcements_missing_times()
  })
  return [...new Set(lines)]
}
