import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import '#app/web/styles.css'
import { render } from '#tests/web/render.tsx'
import { FilterChips } from './filter-chips.tsx'

it('R-10 chips of a filter scroll sideways and do not widen a page of 320 px, with the text spacing of WCAG 1.4.12', async () => {
  await page.viewport(320, 640)
  const options = ['Rechnungen', 'Rechnungskorrekturen'].map((value) => ({ value, label: value }))
  await render(
    <main className="px-4" style={{ letterSpacing: '0.12em', wordSpacing: '0.16em' }}>
      <div className="flex flex-wrap items-center gap-3">
        <FilterChips label="Art" options={options} chosen="Rechnungen" onChoose={() => {}} />
      </div>
    </main>,
  )
  await expect.element(page.getByRole('button', { name: 'Rechnungskorrekturen' })).toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await page.viewport(1280, 800)
})
