import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { EmailField, TextField } from '#foundation/web/ui/text-field.tsx'
import { PasswordField } from '#foundation/web/ui/password-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { inAct, render } from '#tests/web/render.tsx'
import { m } from '#texts/messages.js'
import type { FormFields } from './form-fields.ts'
import { Form, SubmitButton } from './form.tsx'
import type { FormError } from './use-form.ts'
import { useForm } from './use-form.ts'

type Send = (fields: FormFields) => Promise<FormError | undefined>

const Example = localized(({ send, reset = false }: { send: Send; reset?: boolean }) => {
  const form = useForm(send, { resetWhenDone: reset })
  return (
    <Form form={form} label="example">
      <TextField name="name" label={m.ui_save()} hint="a hint" required />
      <TextField name="town" label="Town" most={5} />
      <EmailField name="email" label="Email" />
      <PasswordField name="password" label="Password" autoComplete="new-password" />
      <SelectField name="country" label="Country" empty="none" options={[{ value: 'SE', label: 'Sweden' }]} />
      <SubmitButton>Send</SubmitButton>
    </Form>
  )
})

const field = (name: string) => {
  const element = document.querySelector<HTMLInputElement>(`[name=${name}]`)
  if (!element) throw new Error(`no field ${name}`)
  return element
}
const submit = () => userEvent.click(page.getByRole('button', { name: 'Send' }))
const noteOf = (name: string) =>
  document.querySelector(`#${CSS.escape(field(name).getAttribute('aria-describedby') ?? 'x')}`)?.textContent

describe('forms', () => {
  beforeEach(() => setLocale('en'))

  // This once failed: `maxLength` cut off pasted text silently.
  it('nothing pasted is cut: the field shows how much is too much, and nothing is sent', async () => {
    const send = vi.fn<Send>().mockResolvedValue(undefined)
    await render(<Example send={send} />)
    // The server counts an emoji as one character and trims a text, and so does the field.
    const pasted = ' Gävle\u{1F600} '
    await userEvent.fill(field('name'), pasted)
    await userEvent.click(field('name'))
    await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
    await userEvent.copy()
    await userEvent.click(field('town'))
    await userEvent.paste()
    expect(field('town').value).toBe(pasted)
    expect(noteOf('town')).toBe('6 of 5 characters')
    expect(field('town').getAttribute('aria-invalid')).toBe('true')
    await submit()
    await expect.poll(() => noteOf('town')).toBe('This text is too long · 6 of 5 characters')
    expect(document.activeElement).toBe(field('town'))
    expect(send).not.toHaveBeenCalled()
    await userEvent.fill(field('town'), 'Gävle')
    expect(noteOf('town')).toBeUndefined()
    await submit()
    await expect.poll(() => send).toHaveBeenCalledOnce()
  })

  it('keeps everything typed when the server refuses, and shows why at the field', async () => {
    const send = vi.fn<Send>().mockResolvedValue({ errors: [{ code: 'invalid', param: 'email' }] })
    await render(<Example send={send} />)
    await userEvent.fill(field('name'), 'Ann')
    await userEvent.fill(field('email'), 'ann@example.org')
    await userEvent.fill(field('password'), 'secret words')
    await userEvent.selectOptions(field('country'), 'SE')
    await submit()
    await expect.poll(() => noteOf('email')).toBe('Enter a valid email address')
    expect(['name', 'email', 'password', 'country'].map((name) => field(name).value)).toEqual([
      'Ann',
      'ann@example.org',
      'secret words',
      'SE',
    ])
    expect(field('email').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field('email'))
    expect(noteOf('name')).toBe('a hint')
  })

  it('shows the error of a part at its field', async () => {
    const send = vi.fn<Send>().mockResolvedValue({ errors: [{ code: 'invalid', param: 'town.amount' }] })
    await render(<Example send={send} />)
    await userEvent.fill(field('name'), 'Ann')
    await submit()
    await expect.poll(() => field('town').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field('town'))
    expect(page.getByRole('alert').query()).toBeNull()
  })

  it('V-01 reports a missing field and a wrong address without asking the server', async () => {
    const send = vi.fn<Send>().mockResolvedValue(undefined)
    await render(<Example send={send} />)
    await userEvent.fill(field('email'), 'nobody')
    await submit()
    await expect.poll(() => noteOf('name')).toBe('Field is required')
    expect(noteOf('email')).toBe('Enter a valid email address')
    expect(document.activeElement).toBe(field('name'))
    expect(send).not.toHaveBeenCalled()
    await userEvent.fill(field('name'), 'A')
    expect(noteOf('name')).toBe('a hint')
  })

  it('shows errors of no field above the form and brings the reader there', async () => {
    const send = vi.fn<Send>().mockResolvedValue({ errors: [{ code: 'network' }] })
    await render(<Example send={send} />)
    await userEvent.fill(field('name'), 'Ann')
    await submit()
    await expect.poll(() => page.getByRole('alert').query()?.textContent).toContain('We can’t be reached')
    expect(document.activeElement).toBe(page.getByRole('alert').element())
  })

  it('sends once on a double click and shows progress in the button', async () => {
    let done: (answer: undefined) => void = Boolean
    const send = vi.fn<Send>(() => new Promise((resolve) => (done = resolve)))
    await render(<Example send={send} />)
    await userEvent.fill(field('name'), 'Ann')
    await userEvent.dblClick(page.getByRole('button', { name: 'Send' }))
    await userEvent.keyboard('{Enter}')
    const button = page.getByRole('button', { name: 'Send' }).element()
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(send).toHaveBeenCalledTimes(1)
    done(undefined)
    await expect.poll(() => button.getAttribute('aria-busy')).toBe('false')
    await submit()
    expect(send).toHaveBeenCalledTimes(2)
    done(undefined)
  })

  it('R-16 keeps what was typed and shows errors in the new language', async () => {
    const send = vi.fn<Send>().mockResolvedValue({ errors: [{ code: 'required', param: 'email' }] })
    await render(<Example send={send} />)
    await userEvent.fill(field('name'), 'Ann')
    await submit()
    await expect.poll(() => noteOf('email')).toBe('Field is required')
    await inAct(() => setLocale('de'))
    expect(noteOf('email')).toBe('Dieses Feld ist erforderlich')
    expect(field('name').value).toBe('Ann')
  })

  it('empties itself only when asked to, and only on success', async () => {
    const send = vi
      .fn<Send>()
      .mockResolvedValueOnce({ errors: [{ code: 'network' }] })
      .mockResolvedValueOnce(undefined)
    await render(<Example send={send} reset />)
    await userEvent.fill(field('name'), 'Ann')
    await submit()
    await expect.element(page.getByRole('alert')).toBeVisible()
    expect(field('name').value).toBe('Ann')
    await submit()
    await expect.poll(() => field('name').value).toBe('')
  })

  it('shows and hides a password', async () => {
    await render(<Example send={() => Promise.resolve(undefined)} />)
    await userEvent.click(page.getByRole('button', { name: 'Show password' }))
    expect(field('password').type).toBe('text')
    await userEvent.click(page.getByRole('button', { name: 'Hide password' }))
    expect(field('password').type).toBe('password')
  })
})
