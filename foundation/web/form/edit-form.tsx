import type { ComponentProps, ReactNode } from 'react'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { Form, SubmitButton } from './form.tsx'
import type { EditFormHandle } from './edit-handle.ts'

type Props = Omit<ComponentProps<typeof Form>, 'form'> & { form: EditFormHandle }

/** A form that edits a thing. If others have saved the same fields meanwhile, both values are shown above the form for a choice. */
export function EditForm({ form, children, ...rest }: Props) {
  return (
    <Form form={form} {...rest}>
      {form.conflicts.length > 0 ? <Conflicts form={form} /> : null}
      <div className="contents">{children}</div>
    </Form>
  )
}

function Conflicts({ form: { conflicts, keep, take } }: { form: EditFormHandle }) {
  return (
    <Alert tone="warning" live>
      <p className="font-medium">{m.ui_changed_title()}</p>
      <p>{m.ui_changed_text()}</p>
      <ul className="mt-3 flex flex-col gap-4">
        {conflicts.map(({ name, label, mine, theirs }) => (
          <li key={name} className="grid gap-x-4 gap-y-2 sm:grid-cols-2" aria-label={label}>
            <p className="font-medium sm:col-span-2">{label}</p>
            <Version title={m.ui_changed_mine()} text={mine}>
              <Button size="small" onClick={() => keep(name)}>
                {m.ui_changed_keep()}
              </Button>
            </Version>
            <Version title={m.ui_changed_theirs()} text={theirs}>
              <Button size="small" onClick={() => take(name)}>
                {m.ui_changed_take()}
              </Button>
            </Version>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function Version({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-1.5">
      <p className="text-xs">{title}</p>
      <p className="max-h-40 w-full overflow-y-auto rounded-md border border-line bg-surface px-3 py-2 whitespace-pre-wrap text-text [overflow-wrap:anywhere]">
        {text === '' ? m.ui_changed_empty() : text}
      </p>
      {children}
    </div>
  )
}

/** The bar with the number of changed fields and the button that saves them all; hidden while nothing is changed. */
export function SaveBar({ form: { changes, discard, pending } }: { form: EditFormHandle }) {
  if (changes === 0 && !pending) return null
  return (
    <div
      role="region"
      data-save-bar
      aria-label={m.ui_unsaved()}
      // The bar is last in the column and sticky, so it is always in sight. The Tab key reaches it at the end of the form.
      className="order-last sticky at-foot z-20 [anchor-name:--bottom-bar] flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-raised py-3 pr-3 pl-5 text-sm shadow-menu"
    >
      <p role="status">{m.ui_changes({ count: changes })}</p>
      <div className="ml-auto flex gap-2">
        <Button onClick={discard}>{m.ui_discard()}</Button>
        <SubmitButton>{m.ui_save()}</SubmitButton>
      </div>
    </div>
  )
}
