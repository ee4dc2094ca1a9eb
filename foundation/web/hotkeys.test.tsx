import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render, inAct } from '#tests/web/render.tsx'
import { hotkeys, useHotkeys, useHotkeysEnabled } from './hotkeys.ts'

let pressed: string[] = []
function Listening({ of }: { of: string }) {
  const note = (name: string) => () => pressed.push(`${of} ${name}`)
  useHotkeys({ t: note('t'), 'g t': note('g t') })
  return <p>{useHotkeysEnabled() ? 'keys on' : 'keys off'}</p>
}

beforeEach(() => {
  pressed = []
})
afterEach(() => hotkeys.switchTo(true))

it('hears single keys and two after each other; the second of two is nobody else’s', async () => {
  await render(<Listening of="page" />)
  await userEvent.keyboard('t')
  await userEvent.keyboard('gt')
  await userEvent.keyboard('t')
  expect(pressed).toEqual(['page t', 'page g t', 'page t'])
})

it('hears a key as soon as the page that it belongs to is seen', async () => {
  const folder = document.body.appendChild(document.createElement('div'))
  const root = createRoot(folder)
  const shown = new Promise<void>((resolve) => {
    new MutationObserver((_changes, observer) => {
      observer.disconnect()
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 't' }))
      resolve()
    }).observe(folder, { childList: true })
  })
  startTransition(() => root.render(<Listening of="new page" />))
  await shown
  expect(pressed).toEqual(['new page t'])
  await inAct(() => root.unmount())
  folder.remove()
})

it('does nothing while somebody types, in dialogs, and with Ctrl', async () => {
  await render(
    <>
      <Listening of="page" />
      <textarea aria-label="Message" />
      <dialog open>
        <button type="button">Inside</button>
      </dialog>
    </>,
  )
  await userEvent.type(page.getByRole('textbox'), 'tt')
  await inAct(() => (page.getByRole('button', { name: 'Inside' }).element() as HTMLElement).focus())
  await userEvent.keyboard('t')
  await inAct(() => (document.activeElement as HTMLElement).blur())
  await userEvent.keyboard('{Control>}t{/Control}')
  expect(pressed).toEqual([])
})

it('WCAG 2.1.4: can be switched off, for all pages, and on again', async () => {
  await render(
    <>
      <Listening of="one" />
      <Listening of="other" />
    </>,
  )
  await inAct(() => hotkeys.switchTo(false))
  await expect.element(page.getByText('keys off').first()).toBeVisible()
  await userEvent.keyboard('t')
  await userEvent.keyboard('gt')
  expect(pressed).toEqual([])
  await inAct(() => hotkeys.switchTo(true))
  await userEvent.keyboard('t')
  expect(pressed).toEqual(['one t', 'other t'])
})
