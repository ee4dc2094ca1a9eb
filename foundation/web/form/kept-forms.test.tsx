import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { PasswordField } from '#foundation/web/ui/password-field.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { CodeField, TextField } from '#foundation/web/ui/text-field.tsx'
import { inAct, press, render, takeAway } from '#tests/web/render.tsx'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { ActDialog } from './act-dialog.tsx'
import { EditForm, SaveBar } from './edit-form.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useEditForm } from './use-edit-form.ts'
import { useForm } from './use-form.ts'

const KINDS = ['now', 'later'].map((value) => ({ value, text: value }))
const COUNTRIES = ['DE', 'SE'].map((value) => ({ value, label: value }))

/** A form with a field of each kind. One field comes only with a choice that React keeps. */
function Example({ title = 'Order' }: { title?: string }) {
  const form = useForm(() => Promise.resolve())
  const [kind, setKind] = useState('now')
  return (
    <FormDialog open title={title} form={form} act="Order" onClose={() => {}}>
      <Segments name="kind" label="Kind" options={KINDS} chosen={kind} onChoose={setKind} />
      {kind === 'later' ? <TextField name="day" label="Day" /> : null}
      <TextField name="name" label="Name" defaultValue="Anna" />
      <SelectField name="country" label="Country" options={COUNTRIES} />
      <CheckboxField name="terms" label="Terms" />
      <PasswordField name="proof" label="Password" autoComplete="current-password" />
      <CodeField name="second_step" label="Second step" />
      <TextField name="code" label="Promo code" />
    </FormDialog>
  )
}

type Thing = { id: string; name: string; country: string }

function Edit({ saved }: { saved: Thing }) {
  const form = useEditForm({ saved, save: () => Promise.resolve(undefined) })
  return (
    <EditForm form={form} label="example">
      <TextField name="name" label="Name" defaultValue={saved.name} />
      <SelectField name="country" label="Country" defaultValue={saved.country} options={COUNTRIES} />
      <SaveBar form={form} />
    </EditForm>
  )
}

/** A dialog of a list, whose title names its thing by the amount alone. */
const Reject = ({ id }: { id: string }) => (
  <ActDialog
    open
    about={id}
    title="Reject 5 €"
    act="Reject"
    onClose={() => {}}
    submit={() => Promise.resolve()}
  >
    <TextField name="reason" label="Reason" />
  </ActDialog>
)

const field = (name: string) => page.getByLabelText(name, { exact: true })
const valueOf = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value
const kept = () => sessionStorage.getItem('typed') ?? ''

async function signIn(id: string): Promise<void> {
  await inAct(() => {
    storeUser({ id, display: id })
    storeTokens({ access: 'a', refresh: 'r' })
  })
}

/** Ends the session as an answer 401 does, before the page goes. */
async function endSession(): Promise<void> {
  await inAct(() => clearSession(seeSession()))
  await takeAway()
}

async function typeAll(): Promise<void> {
  await render(<Example />)
  await userEvent.fill(field('Name'), 'Berta')
  await press(field('later'))
  await userEvent.fill(field('Day'), 'Monday')
  await userEvent.selectOptions(field('Country'), 'SE')
  await press(field('Terms'))
  await userEvent.fill(field('Password'), 'secret words')
  await press(page.getByRole('button', { name: 'Show password' }))
  await userEvent.fill(field('Second step'), '123456')
  await userEvent.fill(field('Promo code'), 'SPRING')
}

describe('V-01 what was typed when the session ended', () => {
  beforeEach(async () => {
    setLocale('en')
    await signIn('anna')
  })

  it('stands there again for the same person, once, without passwords and one-time codes, but with a promo code', async () => {
    await typeAll()
    await endSession()
    expect(kept()).toContain('Berta')
    expect(kept()).not.toMatch(/secret words|123456/)
    await signIn('anna')
    await render(<Example title="Another" />)
    expect(valueOf('name')).toBe('Anna')
    await takeAway()
    await render(<Example />)
    await expect.poll(() => valueOf('day')).toBe('Monday')
    const values = ['name', 'country', 'proof', 'second_step', 'code'].map(valueOf)
    expect(values).toEqual(['Berta', 'SE', '', '', 'SPRING'])
    await expect.element(field('Terms')).toBeChecked()
    expect(kept()).toBe('')
    // It is typed text like any other: it is kept again if the session ends again, and gone with its dialog.
    await endSession()
    expect(kept()).toContain('Berta')
  })

  it('is gone for another person', async () => {
    await typeAll()
    await endSession()
    await signIn('berta')
    expect(kept()).toBe('')
    await endSession()
    await signIn('anna')
    await render(<Example />)
    expect(valueOf('name')).toBe('Anna')
  })

  it('is gone after signing out by hand, here or in another tab', async () => {
    await typeAll()
    drafts.forgetAll()
    await endSession()
    expect(kept()).toBe('')
    await signIn('anna')
    await typeAll()
    window.dispatchEvent(new StorageEvent('storage', { key: 'typed_let_go', newValue: '1' }))
    await endSession()
    expect(kept()).toBe('')
  })

  it('is gone after an hour', async () => {
    await typeAll()
    await endSession()
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000)
    await signIn('anna')
    expect(kept()).toBe('')
    vi.restoreAllMocks()
  })

  it('is a change of what is saved by now, in the form of the same thing, and in no field that was saved', async () => {
    await render(<Edit saved={{ id: '1', name: 'Anna', country: 'DE' }} />)
    await userEvent.selectOptions(field('Country'), 'SE')
    await userEvent.selectOptions(field('Country'), 'DE')
    await userEvent.fill(field('Name'), 'Berta')
    await endSession()
    await signIn('anna')
    await render(<Edit saved={{ id: '2', name: 'Anna', country: 'DE' }} />)
    expect(valueOf('name')).toBe('Anna')
    await takeAway()
    await render(<Edit saved={{ id: '1', name: 'Clara', country: 'SE' }} />)
    await expect.element(page.getByText('1 change')).toBeVisible()
    expect(['name', 'country'].map(valueOf)).toEqual(['Berta', 'SE'])
    await press(page.getByRole('button', { name: 'Discard' }))
    expect(valueOf('name')).toBe('Clara')
  })

  it('is in a dialog of a list for the thing that the dialog is about, and for no other of the same title', async () => {
    await render(<Reject id="1" />)
    await userEvent.fill(field('Reason'), 'Sent twice')
    await endSession()
    await signIn('anna')
    await render(<Reject id="2" />)
    await expect.element(field('Reason')).toHaveValue('')
    await takeAway()
    await render(<Reject id="1" />)
    await expect.element(field('Reason')).toHaveValue('Sent twice')
  })
})
