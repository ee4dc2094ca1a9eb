import { useEffect, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import type { ApiError } from '#foundation/errors.ts'
import { inAct, press, render } from '#tests/web/render.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { EditForm, SaveBar } from './edit-form.tsx'
import { useEditForm } from './use-edit-form.ts'

type Thing = { name: string; country: string; note: string | null; version: number }
const first: Thing = { name: 'Anna', country: 'DE', note: null, version: 1 }

/** A thing that several people edit. As the server does, it answers an edit of a stale version with 409. */
class Kept {
  thing = first
  readonly edits: object[] = []
  save = vi.fn(async (changes: Partial<Record<keyof Thing, string>>, version: number) => {
    this.edits.push(changes)
    const changed: ApiError = { code: 'changed', message: '' }
    if (version !== this.thing.version)
      return { status: 409, errors: [changed], body: { status: 409, errors: [changed], present: this.thing } }
    return { status: 200, errors: [], body: this.change(changes) }
  })
  change(changes: object): Thing {
    this.thing = { ...this.thing, ...changes, version: this.thing.version + 1 }
    return this.thing
  }
}

const hear: { current: (thing: Thing) => void } = { current: () => {} }

function Example({ kept }: { kept: Kept }) {
  const [saved, setSaved] = useState(first)
  useEffect(() => {
    hear.current = setSaved
  }, [])
  const form = useEditForm({ saved, save: kept.save })
  return (
    <EditForm form={form} label="example" layout="page">
      <TextField name="name" label="Name" defaultValue={saved.name} />
      <SelectField name="country" label="Country" defaultValue={saved.country} options={countries} />
      <TextField name="note" label="Note" defaultValue={saved.note ?? ''} />
      <SaveBar form={form} />
    </EditForm>
  )
}
const countries = ['DE', 'AT', 'SE'].map((value) => ({ value, label: `land ${value}` }))

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`)
const values = () => ['name', 'country', 'note'].map((name) => field(name)?.value)
const save = async () => {
  const button = page.getByRole('button', { name: 'Save', exact: true })
  await expect.element(button).toHaveAttribute('aria-busy', 'false')
  await press(button)
}
const open = async () => {
  const kept = new Kept()
  await render(<Example kept={kept} />)
  return kept
}
const type = (name: string, text: string) => inAct(() => userEvent.fill(field(name) as HTMLElement, text))
const bar = () => page.getByRole('region', { name: 'Unsaved changes' })

describe('rule 45: a form that changes something', () => {
  it('sends only the changed fields, and then shows the values that the server has saved', async () => {
    const kept = await open()
    kept.change = (changes) => (kept.thing = { ...kept.thing, ...changes, name: 'ANNE', version: 2 })
    await type('name', 'Anne')
    await save()
    await expect.poll(() => kept.edits).toEqual([{ name: 'Anne' }])
    await expect.poll(values).toEqual(['ANNE', 'DE', ''])
    await expect.element(bar()).not.toBeInTheDocument()
  })

  it.each([true, false])('does not send back what another tab changed, event received: %s', async (heard) => {
    const kept = await open()
    const other = kept.change({ country: 'AT' })
    if (heard) await inAct(() => hear.current(other))
    await type('note', '20095')
    await save()
    await expect.poll(() => kept.thing).toMatchObject({ country: 'AT', note: '20095', name: 'Anna' })
    expect(kept.edits.at(-1)).toEqual({ note: '20095' })
    await expect.poll(values).toEqual(['Anna', 'AT', '20095'])
  })

  it('follows what others save while it is untouched, touched fields and older events excepted', async () => {
    const kept = await open()
    await type('name', 'Mine')
    await inAct(() => hear.current(kept.change({ country: 'SE', note: 'theirs' })))
    expect(values()).toEqual(['Mine', 'SE', 'theirs'])
    await inAct(() => hear.current({ ...first, country: 'AT', version: 1 }))
    expect(values()).toEqual(['Mine', 'SE', 'theirs'])
  })

  it('shows both where both changed the same field, and saves nothing before somebody chose', async () => {
    const kept = await open()
    await type('name', 'Mine')
    await userEvent.selectOptions(field('country') as HTMLElement, 'AT')
    kept.change({ name: 'Theirs', country: 'SE' })
    await save()
    await expect.poll(() => page.getByRole('listitem').elements().length).toBe(2)
    await expect.element(page.getByText(/Nothing has been saved yet/)).toBeVisible()
    const [name, country] = page.getByRole('listitem').elements()
    expect(name?.textContent).toContain('Mine')
    expect(name?.textContent).toContain('Theirs')
    // The conflict shows the country's name, not the code that the form sends.
    expect(country?.textContent).toMatch(/land AT.*land SE/)
    expect(kept.thing).toMatchObject({ name: 'Theirs', country: 'SE' })
    await save()
    expect(kept.edits).toHaveLength(1)

    await press(page.getByRole('button', { name: 'Keep mine' }).first())
    await press(page.getByRole('button', { name: 'Use saved version' }).first())
    expect(values()).toEqual(['Mine', 'SE', ''])
    await save()
    await expect.poll(() => kept.thing).toMatchObject({ name: 'Mine', country: 'SE' })
    expect(kept.edits.at(-1)).toEqual({ name: 'Mine' })
  })

  it('counts what changed, and takes it back', async () => {
    await open()
    await expect.element(bar()).not.toBeInTheDocument()
    await type('name', 'Mine')
    await type('note', 'x')
    await expect.element(bar().getByText('2 changes')).toBeVisible()
    await press(page.getByRole('button', { name: 'Discard' }))
    expect(values()).toEqual(['Anna', 'DE', ''])
    await expect.element(bar()).not.toBeInTheDocument()
  })

  it('keeps a value that is typed while a save is under way', async () => {
    const kept = await open()
    const { promise, resolve } = Promise.withResolvers<void>()
    const saving = kept.save.getMockImplementation()
    kept.save.mockImplementation(async (...given) => {
      await promise
      return saving?.(...given) as ReturnType<typeof kept.save>
    })
    await type('name', 'One')
    await save()
    await type('name', 'Two')
    await inAct(() => resolve())
    await expect.poll(() => kept.thing.name).toBe('One')
    await expect.element(bar().getByText('1 change')).toBeVisible()
    expect(values()[0]).toBe('Two')
  })
})
