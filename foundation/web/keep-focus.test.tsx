import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { inAct, render } from '#tests/web/render.tsx'
import { must } from '#foundation/must.ts'
import { focusNear, focusPlace, rememberOpener } from './focus.ts'
import { keepFocus } from './keep-focus.ts'
import { ToastList } from './toasts/toast-list.tsx'
import { clearToasts, toast } from './toasts/toasts.ts'
import { Button } from './ui/button.tsx'

// Without keep-focus the focus was on the body at the end of most of these tests.
const focused = () => document.activeElement?.textContent
let stop: () => void
beforeEach(() => {
  stop = keepFocus()
})
afterEach(async () => {
  stop()
  await inAct(clearToasts)
})

it('goes on to the next row when the row that had it is removed, then to the one before, then to the heading', async () => {
  await render(<Rows />)
  for (const [name, then] of [
    ['Remove 2', 'Remove 3'],
    ['Remove 3', 'Remove 1'],
    ['Remove 1', 'Addresses'],
  ] as const) {
    await presses(name)
    await expect.poll(focused).toBe(then)
  }
})

it('stays away where a key put it away: what comes in afterwards must not turn the keys of the page into letters', async () => {
  await render(<Writing />)
  const field = page.getByRole('textbox', { name: 'Internal note' }).element() as HTMLElement
  field.focus()
  field.blur()
  await inAct(() => window.dispatchEvent(new Event('message-arrives')))
  await expect.element(page.getByText('Row 2')).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(document.body)
})

it('goes on from a button that can no longer be pressed', async () => {
  await render(<Once />)
  await presses('Send again')
  await expect.poll(focused).toBe('Other')
})

it('goes to the first answer of a question that replaces the button', async () => {
  await render(<Asking />)
  await presses('Delete')
  await expect.poll(focused).toBe('Cancel')
  await presses('Cancel')
  await expect.poll(focused).toBe('Edit')
})

it('gives the focus back to the opener of a dialog that React mounted twice, and ends between two that opened each other', async () => {
  const container = await render(<Opened />)
  const [opener, first, second] = [...container.querySelectorAll<HTMLElement>('button, dialog')]
  must(opener).focus()
  const dialogs = [first, second].filter((one) => one instanceof HTMLDialogElement)
  rememberOpener(must(dialogs[0]))
  for (const one of dialogs) one.show()
  const close = rememberOpener(must(dialogs[0]))
  for (const one of dialogs) one.close()
  close()
  await expect.poll(focused).toBe('Open')

  for (const [one, other] of [dialogs, dialogs.toReversed()]) {
    must(one).show()
    rememberOpener(must(other))
    must(one).close()
  }
  expect(() => focusNear(focusPlace(must(dialogs[0]).querySelector('input')))).not.toThrow()
})

const Opened = () => (
  <>
    <button type="button">Open</button>
    {[1, 2].map((number) => (
      <dialog key={number} aria-label={`Dialog ${number}`}>
        <input aria-label="Search" />
      </dialog>
    ))}
  </>
)

it('moves the focus from a removed heading to the heading that replaces it', async () => {
  await render(<Loads />)
  await presses('Load')
  await expect.poll(focused).toBe('Ticket')
})

it('moves the focus to the next notice when one is closed, and back to the field in use before after the last one', async () => {
  await render(
    <>
      <textarea aria-label="Reply" />
      <ToastList />
    </>,
  )
  const reply = page.getByRole('textbox')
  await userEvent.click(reply)
  await inAct(() => {
    for (const message of ['first', 'second']) toast({ message, closeable: true })
  })
  const notice = () => document.activeElement?.closest('[data-toast]')?.textContent
  await userEvent.click(page.getByRole('button', { name: 'Close' }).first())
  await expect.poll(notice).toBe('second')
  await inAct(() => userEvent.keyboard('{Enter}'))
  await expect.element(reply).toHaveFocus()
})

it('does not move the focus of a person who put it nowhere', async () => {
  await render(<Rows />)
  button('Remove 2').focus()
  await userEvent.click(document.documentElement, { position: { x: 5, y: 400 } })
  expect(document.activeElement).toBe(document.body)
  await inAct(() => button('Remove 2').click())
  await expect.element(page.getByRole('button', { name: 'Remove 2' })).not.toBeInTheDocument()
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(document.body)
})

const button = (name: string) => page.getByRole('button', { name }).element() as HTMLElement

async function presses(name: string): Promise<void> {
  button(name).focus()
  await inAct(() => userEvent.keyboard('{Enter}'))
}

function Rows() {
  const [rows, setRows] = useState([1, 2, 3])
  return (
    <main className="h-dvh">
      <h1 tabIndex={-1}>Addresses</h1>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <Button onClick={() => setRows(rows.filter((each) => each !== row))}>Remove {row}</Button>
          </li>
        ))}
      </ul>
    </main>
  )
}

function Once() {
  const [sent, setSent] = useState(false)
  return (
    <main>
      <Button disabled={sent} onClick={() => setSent(true)}>
        Send again
      </Button>
      <Button>Other</Button>
    </main>
  )
}

function Asking() {
  const [asking, setAsking] = useState(false)
  return (
    <main>
      <p>
        {asking ? (
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button look="danger">Delete for all</Button>
          </>
        ) : (
          <>
            <Button key="edit">Edit</Button>
            <Button key="delete" onClick={() => setAsking(true)}>
              Delete
            </Button>
          </>
        )}
      </p>
    </main>
  )
}

function Loads() {
  const [loaded, setLoaded] = useState(false)
  return loaded ? (
    <main>
      <Button>Back</Button>
      <h1 tabIndex={-1}>Ticket</h1>
    </main>
  ) : (
    <section>
      <h1 tabIndex={-1}>Loading</h1>
      <Button
        onClick={(event) => {
          event.currentTarget.parentElement?.querySelector('h1')?.focus()
          setLoaded(true)
        }}
      >
        Load
      </Button>
    </section>
  )
}

function Writing() {
  const [count, setCount] = useState(1)
  useEffect(() => {
    const add = () => setCount(2)
    window.addEventListener('message-arrives', add)
    return () => window.removeEventListener('message-arrives', add)
  }, [])
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <p key={index}>Row {index + 1}</p>
      ))}
      <textarea aria-label="Internal note" />
    </>
  )
}
