import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp } from 'vitest/browser'
import '#app/web/styles.css'
import { inAct, render } from '#tests/web/render.tsx'
import { must } from '#foundation/must.ts'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { FilterChips } from '#foundation/web/ui/filter-chips.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { MenuItem } from '#foundation/web/ui/menu.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { Switch } from '#foundation/web/ui/switch.tsx'
import { applyTheme, chosenTheme, setTheme, useTheme } from './theme.ts'

const shown = () => document.documentElement.dataset['theme']
const frameColour = () => document.querySelector('meta[name=theme-color]')?.getAttribute('content')
function Chosen() {
  return <p>{useTheme()}</p>
}
const device = (value: 'light' | 'dark') =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })

describe('theme', () => {
  beforeEach(async () => {
    const meta = document.createElement('meta')
    meta.name = 'theme-color'
    document.head.append(meta)
    localStorage.removeItem('theme')
    await device('light')
    applyTheme()
  })
  afterEach(() => document.querySelector('meta[name=theme-color]')?.remove())

  it('G-02 follows the device until one is chosen', async () => {
    expect(chosenTheme()).toBe('system')
    expect(shown()).toBe('light')
    await device('dark')
    await expect.poll(shown).toBe('dark')
  })

  it('G-02 stores the choice under `theme` and paints the frame #000 or #fff', () => {
    setTheme('dark')
    expect(localStorage.getItem('theme')).toBe('dark')
    expect([shown(), frameColour()]).toEqual(['dark', '#000'])
    expect(getComputedStyle(document.documentElement).backgroundColor).toBe('rgb(0, 0, 0)')
    setTheme('light')
    expect([shown(), frameColour()]).toEqual(['light', '#fff'])
    expect(getComputedStyle(document.documentElement).backgroundColor).toBe('rgb(255, 255, 255)')
  })

  it('R-16 renders the choice again when it changes', async () => {
    const page = await render(<Chosen />)
    await inAct(() => setTheme('dark'))
    expect(page.textContent).toBe('dark')
  })

  it('G-02 sets the theme before the first paint by a file of its own', async () => {
    localStorage.setItem('theme', 'dark')
    const file = await import('#app/web/theme.js?raw')
    const script = document.createElement('script')
    script.src = URL.createObjectURL(new Blob([file.default], { type: 'text/javascript' }))
    document.head.append(script)
    await new Promise((loaded) => script.addEventListener('load', loaded))
    expect([shown(), frameColour()]).toEqual(['dark', '#000'])
    script.remove()
  })
})

const nothing = () => {}
const options = [
  { value: 'one', label: 'One', text: 'One' },
  { value: 'two', label: 'Two', text: 'Two' },
]
const pieces = (
  <div className="data-table">
    {(['primary', 'secondary', 'quiet', 'danger', 'outline'] as const).map((look) => (
      <Button key={look} look={look}>
        {look} 11
      </Button>
    ))}
    <a href="#there" className={buttonClass('secondary')}>
      There
    </a>
    <IconButton label="Icon" icon="x" />
    <FilterChips label="Chips" options={options} chosen="one" onChoose={nothing} />
    <Segments name="segments" label="Segments" options={options} chosen="one" onChoose={nothing} />
    <Switch label="Off" checked={false} onChange={nothing} />
    <Switch label="On" checked onChange={nothing} />
    <MenuItem onSelect={nothing}>Item</MenuItem>
    <a href="#row" data-row>
      Row
    </a>
  </div>
)

it('each piece of the kit differs under the pointer, pressed and with the focus, and has figures of one width', async () => {
  const page = await render(pieces)
  const all = [...page.querySelectorAll<HTMLElement>('a, button, label:has(> input)')]
  expect(all.length).toBe(15)
  // A change without its 150 ms, because the test reads the colours at once.
  for (const piece of all) {
    piece.style.transition = 'none'
    expect(getComputedStyle(piece).fontVariantNumeric).toBe('tabular-nums')
  }
  await cdp().send('DOM.enable')
  await cdp().send('CSS.enable')
  await cdp().send('DOM.getDocument', { depth: 0 })
  for (const piece of all) {
    const name = `${piece.localName} ${piece.textContent || piece.ariaLabel} ${piece.ariaChecked}`
    const rest = looksOf(piece)
    const hovered = await looksWith(piece, ['hover'])
    const isChosen = piece.querySelector(':checked') !== null || piece.ariaPressed === 'true'
    if (!isChosen && piece.dataset['row'] === undefined) expect(hovered, `${name} hovered`).not.toBe(rest)
    expect(await looksWith(piece, ['hover', 'active']), `${name} pressed`).not.toBe(hovered)
    // The ring of a segment is drawn by its label, around the radio button that has the focus.
    if (piece.localName !== 'label')
      expect(await looksWith(piece, ['focus', 'focus-visible']), `${name} focused`).not.toBe(rest)
    expect(looksOf(piece)).toBe(rest)
  }
})

it('styles a list of 1,000 rows again at once when one of them changes', async () => {
  const rows = Array.from({ length: 1000 }, (_, row) => (
    <li key={row}>
      <a href={`#${row}`}>{row}</a> <span>Row</span>
    </li>
  ))
  const page = await render(
    <main>
      <ul>{rows}</ul>
    </main>,
  )
  const last = must([...page.querySelectorAll('li')].at(-1))
  expect(getComputedStyle(last).opacity).toBe('1')
  must(page.querySelector('span')).textContent = 'Changed'
  const begun_ms = performance.now()
  expect(getComputedStyle(last).opacity).toBe('1')
  expect(performance.now() - begun_ms).toBeLessThan(500)
})

/** The look of a piece, with the layer over the row that it opens. */
const looksOf = (piece: HTMLElement): string =>
  ['', '::after']
    .map((part) => {
      const { color, backgroundColor, borderColor, boxShadow, outline } = getComputedStyle(piece, part)
      return [color, backgroundColor, borderColor, boxShadow, outline].join(' ')
    })
    .join(' / ')

async function looksWith(piece: HTMLElement, forcedPseudoClasses: string[]): Promise<string> {
  piece.dataset['looked'] = ''
  const { searchId } = await cdp().send('DOM.performSearch', { query: '[data-looked]' })
  const { nodeIds } = await cdp().send('DOM.getSearchResults', { searchId, fromIndex: 0, toIndex: 1 })
  const nodeId = must(nodeIds[0])
  await cdp().send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })
  const looks = looksOf(piece)
  await cdp().send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [] })
  delete piece.dataset['looked']
  return looks
}
