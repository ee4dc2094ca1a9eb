import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { SumsCard } from './sums-card.tsx'

const quiet = {
  name: 'Woche 1',
  opened: 1200,
  closed: 0,
  first_answer_s: 2520,
  resolution_s: null,
  good: 0,
  fair: 0,
  poor: 0,
}

it('writes numbers as the language of the page does, and no time where nothing was answered', async () => {
  await inAct(() => setLocale('de'))
  await render(<SumsCard title="Nach Woche" first="Woche" rows={[quiet]} />)
  const cells = page.getByRole('table').getByRole('cell')
  await expect
    .poll(() => cells.elements().map(({ textContent }) => textContent))
    .toEqual(['1.200', '0', '0,7', '–', '0', '0', '0'])
  await inAct(() => setLocale('en'))
})
