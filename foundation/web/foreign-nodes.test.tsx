import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '#tests/web/render.tsx'
import { startTranslator } from '#tests/web/translator.ts'
import { tolerateForeignNodes } from './foreign-nodes.ts'

beforeAll(tolerateForeignNodes)

let translator: MutationObserver
beforeEach(() => {
  translator = startTranslator(['«', '»'])
})
afterEach(() => translator.disconnect())

// Each shape in which React touches a text node of its own.
it.each([
  ['removes a text', (on: boolean) => <>{on ? 'first' : <b>second</b>} after</>, '«second»« after»'],
  ['inserts before a text', (on: boolean) => <>{on ? null : <b>second</b>} after</>, '«second»« after»'],
  ['removes an element', (on: boolean) => <>{on ? <b>first</b> : null} after</>, '« after»'],
  ['removes a part', (on: boolean) => (on ? <>first {'part'}</> : <b>second</b>), '«second»'],
  ['changes a text', (on: boolean) => <>{on ? '1,00 €' : '2,00 €'} to pay</>, '«2,00 €»« to pay»'],
  ['changes a lone text', (on: boolean) => <i>{on ? 'first' : 'second'}</i>, '«second»'],
  ['moves texts', (on: boolean) => ordered(on ? ['a', 'b'] : ['b', 'a']), '«b»«a»'],
])('rule 56: under a translator, React %s', async (_, shape, expected) => {
  const Page = () => {
    const [on, setOn] = useState(true)
    return (
      <>
        <button onClick={() => setOn(!on)}>Turn</button>
        <div data-testid="shape">{shape(on)}</div>
      </>
    )
  }
  await render(<Page />)
  const shown = page.getByTestId('shape')
  await expect.poll(() => shown.element().textContent).toMatch(/^(«[^»]+»)+$/)
  const before = shown.element().textContent
  const turn = page.getByRole('button')
  await turn.click()
  await expect.poll(() => shown.element().textContent).toBe(expected)
  await turn.click()
  await expect.poll(() => shown.element().textContent).toBe(before)
})

// Extensions put elements of their own around ours, or take ours away.
it.each([
  ['is wrapped, which React removes', true, 'b', wrap],
  ['is taken away, which React removes', true, 'b', (element: Element) => element.remove()],
  ['is wrapped, before which React inserts', false, 'i', wrap],
  ['is taken away, before which React inserts', false, 'i', (element: Element) => element.remove()],
])('rule 56: React goes on where an element %s', async (_, first, name, act) => {
  translator.disconnect()
  const Page = () => {
    const [on, setOn] = useState(first)
    return (
      <>
        <button onClick={() => setOn(!on)}>Turn</button>
        <div data-testid="shape">
          {on ? <b>here</b> : null}
          <i>after</i>
        </div>
      </>
    )
  }
  await render(<Page />)
  const shown = page.getByTestId('shape')
  shown.element().querySelectorAll(name).forEach(act)
  for (const here of [!first, first, !first]) {
    await page.getByRole('button').click()
    await expect.poll(() => shown.element().textContent?.includes('here')).toBe(here)
  }
})

function wrap(element: Element): void {
  const around = document.createElement('x-extension')
  element.replaceWith(around)
  around.append(element)
}

const ordered = (names: string[]) => names.map((name) => <Piece key={name} name={name} />)
const Piece = ({ name }: { name: string }) => name

// Seen red: a library that draws charts inserts without a place, which ended the page.
it('inserts at the end where no place is given, as the browser does', () => {
  const parent = document.createElement('p')
  parent.append('first')
  Reflect.apply(Node.prototype.insertBefore, parent, [document.createTextNode('last'), undefined])
  expect(parent.textContent).toBe('firstlast')
})
