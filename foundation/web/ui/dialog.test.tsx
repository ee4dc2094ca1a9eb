import { useState } from 'react'
import { flushSync } from 'react-dom'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { must } from '#foundation/must.ts'
import { inAct, press, render } from '#tests/web/render.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { TextField } from './text-field.tsx'

const focused = () => document.activeElement?.textContent
const button = (name: string) => page.getByRole('button', { name, exact: true })
const shown = () => document.querySelector('dialog[open]') !== null

const ways: readonly [string, () => Promise<void>][] = [
  ['Esc', () => userEvent.keyboard('{Escape}')],
  ['the cross', () => press(button('Close'))],
  ['Cancel', () => press(button('Cancel'))],
  ['success', () => press(button('Save'))],
  [
    'a click beside it',
    async () => userEvent.click(document.documentElement, { position: { x: 5, y: 400 } }),
  ],
]

describe('closing a dialog gives the focus back to what opened it', () => {
  // The owner of a dialog either keeps it and sets `open`, or removes the whole component.
  for (const kept of [true, false])
    for (const [name, close] of ways)
      it(`by ${name}, ${kept ? 'kept' : 'taken away'}`, async () => {
        await render(<Page kept={kept} />)
        await openIt()
        await inAct(close)
        await expect.poll(shown).toBe(false)
        await expect.poll(focused).toBe('Open')
      })

  it('to the button of the menu, if an item of the menu opened the dialog', async () => {
    await render(<FromMenu />)
    await press(button('Menu'))
    await press(page.getByRole('menuitem', { name: 'Rename' }))
    await expect.poll(shown).toBe(true)
    await inAct(() => userEvent.keyboard('{Escape}'))
    await expect.poll(focused).toBe('Menu')
  })

  it('to the neighbour where the opener went with what the dialog deleted', async () => {
    await render(<Rows />)
    await pressKey(button('Delete 2'))
    await press(button('Confirm'))
    await expect.poll(shown).toBe(false)
    await expect.poll(focused).toBe('Delete 1')
  })

  it('to the opener of the first dialog, if two dialogs close together', async () => {
    await render(<TwoDialogs />)
    await pressKey(button('Open'))
    await pressKey(button('Ask'))
    await press(button('Prove'))
    await expect.poll(shown).toBe(false)
    await expect.poll(focused).toBe('Open')
  })
})

it('a menu leaves the focus on the item that somebody chose before the browser said that it is open', async () => {
  await render(
    <Menu trigger="Menu">
      <MenuItem onSelect={() => {}}>First</MenuItem>
      <MenuItem onSelect={() => {}}>Second</MenuItem>
    </Menu>,
  )
  const panel = must(document.querySelector<HTMLElement>('[role=menu]'))
  const told = new Promise((resolve) => panel.addEventListener('toggle', resolve, { once: true }))
  flushSync(() => panel.showPopover())
  must(panel.querySelector<HTMLElement>('[role=menuitem]:last-child')).focus()
  await told
  await expect.poll(focused).toBe('Second')
})

it('keeps its buttons inside on a phone, however long their words are', async () => {
  await page.viewport(345, 740)
  await render(
    <Dialog open onClose={() => {}} title="Neuer Server">
      <DialogActions>
        <Button>Abbrechen</Button>
        <Button look="primary">Zahlungspflichtig bestellen – 1.234,56 €</Button>
      </DialogActions>
    </Dialog>,
  )
  const dialog = page.getByRole('dialog').element()
  const { left, right } = dialog.getBoundingClientRect()
  for (const element of dialog.querySelectorAll('button')) {
    const box = element.getBoundingClientRect()
    expect(box.left).toBeGreaterThanOrEqual(left)
    expect(box.right).toBeLessThanOrEqual(right)
    expect(element.scrollWidth).toBeLessThanOrEqual(Math.ceil(box.width))
  }
  await page.viewport(1280, 800)
})

// The walk over all pages saw a field take the focus behind the buttons (WCAG 2.4.11).
it('shows each field that takes the focus above its buttons', async () => {
  await page.viewport(390, 700)
  const names = Array.from({ length: 14 }, (_, place) => `Field ${place}`)
  await render(
    <Dialog open onClose={() => {}} title="Add edition">
      {names.map((name) => (
        <TextField key={name} name={name} label={name} />
      ))}
      <DialogActions>
        <Button>Cancel</Button>
        <Button look="primary">Save</Button>
      </DialogActions>
    </Dialog>,
  )
  await inAct(() => page.getByLabelText('Field 0').element().focus())
  for (const name of names) {
    const field = must(document.activeElement)
    expect(field.getAttribute('name')).toBe(name)
    const { left, top, width, height } = field.getBoundingClientRect()
    expect(document.elementFromPoint(left + width / 2, top + height / 2), name).toBe(field)
    await userEvent.keyboard('{Tab}')
  }
  await page.viewport(1280, 800)
})

it('keeps open what is shown once, whatever Esc and the pointer do', async () => {
  await render(<Page kept dismissible={false} />)
  await openIt()
  for (const [name, close] of ways) {
    if (name === 'Cancel') break
    if (name === 'Esc') for (let time = 0; time < 3; time += 1) await inAct(close)
    if (name !== 'the cross') await inAct(close)
    expect(shown()).toBe(true)
  }
  await press(button('Close'))
  await expect.poll(shown).toBe(false)
})

it('stays where its owner answers Esc by another view, and hears of the next Esc too', async () => {
  await render(<Page kept steps={3} />)
  await openIt()
  for (const left of [2, 1]) {
    await inAct(() => userEvent.keyboard('{Escape}'))
    await expect.element(page.getByText(`${left} left`)).toBeVisible()
    expect(document.querySelector('dialog:modal')).not.toBeNull()
  }
  await inAct(() => userEvent.keyboard('{Escape}'))
  await expect.poll(focused).toBe('Open')
})

it('puts the focus into a field that comes later', async () => {
  await render(<Late />)
  await pressKey(button('Open'))
  await press(button('Load'))
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('late')
})

async function openIt() {
  await pressKey(button('Open'))
  await expect.poll(shown).toBe(true)
}

async function pressKey(target: ReturnType<typeof button>) {
  await expect.element(target).toBeVisible()
  const element = target.element() as HTMLElement
  element.focus()
  await inAct(() => userEvent.keyboard('{Enter}'))
}

type PageProps = { kept: boolean; dismissible?: boolean; steps?: number }

function Page({ kept, dismissible, steps = 1 }: PageProps) {
  const [left, setLeft] = useState(0)
  const close = () => setLeft((now) => now - 1)
  const dialog = (
    <Dialog open={left > 0} onClose={close} title="Title" {...(dismissible === false ? { dismissible } : {})}>
      <Contents onDone={close} />
      <p>{`${left} left`}</p>
    </Dialog>
  )
  return (
    <main className="h-dvh">
      <Button onClick={() => setLeft(steps)}>Open</Button>
      {kept || left > 0 ? dialog : null}
    </main>
  )
}

function Contents({ onDone }: { onDone: () => void }) {
  const form = useForm(async () => {
    await Promise.resolve()
    onDone()
  })
  return (
    <Form form={form}>
      <TextField name="name" label="Name" defaultValue="x" />
      <Button onClick={onDone}>Cancel</Button>
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}

function FromMenu() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Menu trigger="Menu">
        <MenuItem onSelect={() => setOpen(true)}>Rename</MenuItem>
      </Menu>
      {open ? <Dialog open onClose={() => setOpen(false)} title="Rename" /> : null}
    </>
  )
}

function Rows() {
  const [rows, setRows] = useState([1, 2])
  const [chosen, setChosen] = useState<number>()
  const remove = () => {
    setRows(rows.filter((row) => row !== chosen))
    setChosen(undefined)
  }
  return (
    <>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <Button onClick={() => setChosen(row)}>Delete {row}</Button>
          </li>
        ))}
      </ul>
      {chosen === undefined ? null : (
        <Dialog open onClose={() => setChosen(undefined)} title="Delete">
          <Button onClick={remove}>Confirm</Button>
        </Dialog>
      )}
    </>
  )
}

function TwoDialogs() {
  const [depth, setDepth] = useState(0)
  return (
    <>
      <Button onClick={() => setDepth(1)}>Open</Button>
      <Dialog open={depth > 0} onClose={() => setDepth(0)} title="First">
        <Button onClick={() => setDepth(2)}>Ask</Button>
      </Dialog>
      <Dialog open={depth > 1} onClose={() => setDepth(1)} title="Second">
        <Button onClick={() => setDepth(0)}>Prove</Button>
      </Dialog>
    </>
  )
}

function Late() {
  const [open, setOpen] = useState(false)
  const [loaded, setLoaded] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Late">
        <Button onClick={() => setLoaded(true)}>Load</Button>
        {loaded ? <TextField name="late" label="Late" /> : null}
      </Dialog>
    </>
  )
}
