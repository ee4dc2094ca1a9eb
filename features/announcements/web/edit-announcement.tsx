import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  createAnnouncement,
  listAnnouncements,
  updateAnnouncement,
  type Announcement,
} from '#features/announcements/contract.ts'
import { listPlans, type Plan } from '#features/licences/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { DialogForm, FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { AnnouncementFields, fieldNames } from './announcement-fields.tsx'
import { bodyOf, draftOf, kindIn, type Fields } from './draft.ts'

type Done = { onClose: () => void; onSaved: (announcement: Announcement) => void }

const usePlans = () => useQuery(queryFor(listPlans, { query: {} })).data?.items

const NO_PLANS: readonly Plan[] = []

/** `filter` is the JSON of a filter of servers or customers: the announcement is then news for those whom it finds, by mail. */
export function NewAnnouncement({ filter, onClose, onSaved }: Done & { filter: string | undefined }) {
  const plans = usePlans() ?? NO_PLANS
  const intend = useIntention()
  const form = useForm(async (fields) => {
    const all: Fields = Object.fromEntries(
      fieldNames(plans).map(([name, isBox]) => [
        name,
        isBox ? String(fields.checked(name)) : fields.text(name),
      ]),
    )
    const body = { ...bodyOf(all, all), kind: kindIn(all['kind']) }
    const answer = await intend(body, (headers) => call(createAnnouncement, { headers, body }))
    if (answer.status !== 201) return answer
    refreshQueries(listAnnouncements)
    onSaved(answer.body)
    return undefined
  })
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={m.announcements_new()}
      form={form}
      act={m.announcements_check()}
      label={m.announcements_new()}
    >
      <AnnouncementFields
        plans={plans}
        {...(filter !== undefined && {
          draft: { version: 0, kind: 'news', scope: 'filter', filter, mail: true },
        })}
      />
    </FormDialog>
  )
}

export function EditAnnouncement({ announcement, ...done }: Done & { announcement: Announcement }) {
  const plans = usePlans()
  return (
    <Dialog open wide onClose={done.onClose} title={m.announcements_edit_title()}>
      {/* The checkboxes of the plans are fields of the form, so the form is shown once the plans are loaded. */}
      {plans ? <EditFields announcement={announcement} plans={plans} {...done} /> : null}
    </Dialog>
  )
}

type EditProps = Done & { announcement: Announcement; plans: readonly Plan[] }

function EditFields({ announcement, plans, onClose, onSaved }: EditProps) {
  const { id } = announcement
  const draft = useMemo(() => draftOf(announcement, plans), [announcement, plans])
  const form = useEditForm({
    saved: draft,
    async save(changes, version) {
      const all = { ...textsOf(draft), ...changes }
      const body = { ...bodyOf(changes, all), version }
      const answer = await call(updateAnnouncement, { params: { announcementId: id }, body })
      if (answer.status === 200) {
        refreshQueries(listAnnouncements)
        onSaved(answer.body)
        return { ...answer, body: draftOf(answer.body, plans) }
      }
      if (answer.status === 409 && 'present' in answer.body)
        return { ...answer, body: { ...answer.body, present: draftOf(answer.body.present, plans) } }
      return answer
    },
    // `saved` is undefined if nothing was changed and sent: the page goes on with the announcement that it has.
    onDone: (saved) => {
      if (!saved) onSaved(announcement)
    },
  })
  return (
    <DialogForm
      form={form}
      act={m.announcements_check()}
      label={m.announcements_edit_title()}
      onClose={onClose}
    >
      <AnnouncementFields draft={draft} plans={plans} isPublished={announcement.revision > 0} />
    </DialogForm>
  )
}

const textsOf = (draft: object): Fields =>
  Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, String(value)]))
