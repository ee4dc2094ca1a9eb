import {
  listAnnouncements,
  resolveAnnouncement,
  type Announcement,
} from '#features/announcements/contract.ts'
import { TEXT_LENGTH } from '#features/announcements/rules.ts'
import { locales } from '#foundation/locale.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { titleOf } from './kind-texts.ts'

type Props = { announcement: Announcement; onClose: () => void }

/** Resolves an incident, with a few words about it, or withdraws another announcement. */
export function EndAnnouncement({ announcement, onClose }: Props) {
  const { id, kind, status } = announcement
  const isIncident = kind === 'incident' && status === 'published'
  const { title, text, act, done } = texts[isIncident ? 'resolve' : 'withdraw']
  const form = useForm(
    async (fields) => {
      const words = Object.fromEntries(locales.map((locale) => [locale, fields.text(`text.${locale}`)]))
      const hasWords = Object.values(words).some((word) => word.trim() !== '')
      const answer = await call(resolveAnnouncement, {
        params: { announcementId: id },
        body: hasWords ? { text: words } : {},
      })
      refreshQueries(listAnnouncements)
      if (answer.status !== 200) return answer
      toastSuccess(done)
      onClose()
      return undefined
    },
    { about: id },
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title()}
      description={text({ title: titleOf(announcement) })}
      form={form}
      act={act()}
      look={isIncident ? 'primary' : 'danger'}
    >
      {isIncident ? (
        <>
          {locales.map((locale) => (
            <TextAreaField
              key={locale}
              name={`text.${locale}`}
              lang={locale}
              label={m.announcements_resolution({ language: localeNames[locale] })}
              rows={2}
              most={TEXT_LENGTH}
            />
          ))}
          <p className="-mt-2 text-sm text-muted">{m.announcements_resolution_hint()}</p>
        </>
      ) : null}
    </FormDialog>
  )
}

const texts = {
  resolve: {
    title: m.announcements_resolve_title,
    text: m.announcements_resolve_text,
    act: m.announcements_resolve,
    done: m.announcements_resolved_done,
  },
  withdraw: {
    title: m.announcements_withdraw_title,
    text: m.announcements_withdraw_text,
    act: m.announcements_withdraw,
    done: m.announcements_withdrawn_done,
  },
} as const
