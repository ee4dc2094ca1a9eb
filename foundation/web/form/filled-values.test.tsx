import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { inAct, press, render } from '#tests/web/render.tsx'
import { EditForm, SaveBar } from './edit-form.tsx'
import { useEditForm } from './use-edit-form.ts'
import type { FormError } from './use-form.ts'

type Save = (changes: object) => Promise<FormError & { status: number; body: object }>
const first = { name: 'Anna', country: 'DE' }
const countries = ['DE', 'SE'].map((value) => ({ value, label: value }))

function Example({ save }: { save: Save }) {
  const form = useEditForm({ saved: first, save })
  return (
    <EditForm form={form} label="example">
      <TextField name="name" label="Name" most={6} defaultValue={first.name} />
      <SelectField name="country" label="Country" defaultValue={first.country} options={countries} />
      <SaveBar form={form} />
    </EditForm>
  )
}

const field = (name: string): HTMLElement => {
  const element = document.querySelector(`[name=${name}]`)
  if (!(element instanceof HTMLElement)) throw new Error(`no field ${name}`)
  return element
}
/** Puts a text into a field as programs of others do, past React and without an event. */
const put = (name: string, text: string) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field(name)), 'value')?.set?.call(field(name), text)
const tellChange = () => field('name').dispatchEvent(new Event('change', { bubbles: true }))
const bar = () => page.getByRole('region', { name: 'Unsaved changes' })
const noteOf = (name: string) =>
  document.querySelector(`#${CSS.escape(field(name).getAttribute('aria-describedby') ?? 'x')}`)?.textContent

const open = async () => {
  const save = vi.fn<Save>(async (changes) => ({ status: 200, body: { ...first, ...changes }, errors: [] }))
  await render(<Example save={save} />)
  field('name').focus()
  return save
}

// Seen red: a form heard of values by the event `input` alone. There was no bar, and so nothing that the Enter key could press.
describe('rule 56: a value that a program puts into a field', () => {
  beforeEach(() => setLocale('en'))

  it.each<[how: string, act: () => unknown]>([
    ['and tells by the event `change` alone', tellChange],
    ['before the focus leaves', () => userEvent.tab()],
  ])('%s is a change to save', async (_, act) => {
    const save = await open()
    put('name', 'Filled')
    put('country', 'SE')
    await inAct(act)
    await expect.element(bar().getByText('2 changes')).toBeVisible()
    await press(page.getByRole('button', { name: 'Save', exact: true }))
    await expect.poll(() => save.mock.calls[0]?.[0]).toEqual({ name: 'Filled', country: 'SE' })
    await expect.element(bar()).not.toBeInTheDocument()
  })

  it('without any event is saved by Enter', async () => {
    const save = await open()
    put('name', 'Filled')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => save.mock.calls[0]?.[0]).toEqual({ name: 'Filled' })
  })

  it('is counted where it is too long, and ends the error at the field', async () => {
    const save = await open()
    save.mockResolvedValue({ status: 400, body: {}, errors: [{ code: 'invalid', param: 'name' }] })
    await userEvent.fill(field('name'), 'Bad')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => noteOf('name')).toBe('This value isn’t valid')
    put('name', 'Fill')
    await inAct(tellChange)
    await expect.poll(() => noteOf('name')).toBeUndefined()
    put('name', 'Too long')
    await inAct(tellChange)
    await expect.poll(() => noteOf('name')).toBe('8 of 6 characters')
  })
})
