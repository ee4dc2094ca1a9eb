import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp } from 'vitest/browser'
import '#app/web/styles.css'
import { inAct, render } from '#tests/web/render.tsx'
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
