import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import * as contract from '#features/customers/contract.ts'
import type { CustomerNote } from '#features/customers/contract.ts'
import { NOTE_LENGTH } from '#features/customers/rules.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { EditForm } from '#foundation/web/form/edit-form.tsx'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshNotes, useNotes } from './hooks.ts'

/** The staff's notes about a customer, who never sees them. */
export function CustomerNotes({ card: { id } }: { card: CustomerCard }) {
  const query = useNotes(id)
  return (
    <div className="flex flex-col gap-6">
      <NewNote userId={id} />
      <Loaded query={query} failed={m.customers_notes_failed()} waiting="h-32">
        {(data) => (
          <ul aria-label={m.customers_tab_notes()} className="flex flex-col gap-3">
            {data.items.map((note) => (
              <Note key={note.id} userId={id} note={note} />
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  )
}

/** The notes that staff must read before they talk to the customer. */
export function PinnedNotes({ userId }: { userId: string }) {
  const { data, error } = useNotes(userId)
  if (!data) return <Coming of={{ error }} />
  const pinned = data.items.filter((note) => note.pinned)
  if (pinned.length === 0) return null
  return (
    <ul aria-label={m.customers_pinned()} className="flex flex-col gap-3">
      {pinned.map((note) => (
        <Note key={note.id} userId={userId} note={note} />
      ))}
    </ul>
  )
}

function NewNote({ userId }: { userId: string }) {
  const intend = useIntention()
  const form = useForm(
    async (fields) => {
      const body = { text: fields.text('text') }
      const answer = await intend(body, (headers) =>
        call(contract.createCustomerNote, { params: { userId }, headers, body }),
      )
      if (answer.status !== 201) return answer
      refreshNotes()
      return undefined
    },
    { resetWhenDone: true },
  )
  return (
    <Card title={m.customers_note_new()} description={m.customers_note_text()}>
      <Form form={form} label={m.customers_note_new()}>
        <TextAreaField name="text" label={m.customers_note()} rows={3} most={NOTE_LENGTH} required />
        <div>
          <SubmitButton>{m.customers_note_save()}</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}

function Note({ userId, note }: { userId: string; note: CustomerNote }) {
  const [state, setState] = useState<'shown' | 'edited' | 'asking'>('shown')
  const { id, text, author, created_at, pinned, may_edit, version } = note
  const params = { userId, noteId: id }
  const pin = useAct(async () => {
    const answer = await call(contract.updateCustomerNote, { params, body: { pinned: !pinned, version } })
    if (answer.status !== 200) toastError(m.customers_note_failed, answer)
    refreshNotes()
  })
  const remove = useAct(async () => {
    const answer = await call(contract.deleteCustomerNote, { params })
    // A 404 counts as success: someone else deleted it.
    if (answer.status === 204 || answer.status === 404) toastSuccess(m.customers_note_deleted)
    else toastError(m.customers_note_failed, answer)
    refreshNotes()
  })
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-surface px-5 py-4 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">
          <bdi className="font-medium text-text">{author?.name ?? m.customers_note_nobody()}</bdi>{' '}
          <span>·</span> <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          {pinned ? <span> · {m.customers_note_pinned()}</span> : null}
        </p>
        <div className="flex items-center gap-1">
          {may_edit && state === 'shown' ? (
            <Button size="small" onClick={() => setState('edited')}>
              {m.customers_note_edit()}
            </Button>
          ) : null}
          <IconButton
            label={pinned ? m.customers_note_unpin() : m.customers_note_pin()}
            icon={pinned ? <PinOff size={16} aria-hidden="true" /> : <Pin size={16} aria-hidden="true" />}
            onClick={pin.run}
          />
          <IconButton
            label={m.customers_note_delete()}
            icon={<Trash2 size={16} aria-hidden="true" />}
            onClick={() => setState('asking')}
          />
        </div>
      </div>
      {state === 'edited' ? (
        <ChangeNote userId={userId} note={note} onDone={() => setState('shown')} />
      ) : (
        <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
      {state === 'asking' ? (
        <div className="flex flex-wrap items-center gap-2">
          <span>{m.customers_note_delete_sure()}</span>
          <Button size="small" onClick={() => setState('shown')}>
            {m.ui_cancel()}
          </Button>
          <Button size="small" look="danger" pending={remove.pending} onClick={remove.run}>
            {m.customers_note_delete()}
          </Button>
        </div>
      ) : null}
    </li>
  )
}

function ChangeNote({ userId, note, onDone }: { userId: string; note: CustomerNote; onDone: () => void }) {
  const form = useEditForm({
    saved: note,
    save: async ({ text }, version) => {
      const answer = await call(contract.updateCustomerNote, {
        params: { userId, noteId: note.id },
        body: { ...(text === undefined ? {} : { text }), version },
      })
      refreshNotes()
      return answer
    },
    onDone,
  })
  return (
    <EditForm form={form} label={m.customers_note_edit()}>
      <TextAreaField
        name="text"
        label={m.customers_note()}
        rows={3}
        most={NOTE_LENGTH}
        defaultValue={note.text}
        required
      />
      <div className="flex gap-2">
        <SubmitButton>{m.ui_save()}</SubmitButton>
        <Button onClick={onDone}>{m.ui_cancel()}</Button>
      </div>
    </EditForm>
  )
}
