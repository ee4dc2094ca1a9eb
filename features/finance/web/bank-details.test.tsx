import { Suspense, useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '#tests/web/render.tsx'
import { BankDetails } from './bank-details.tsx'

const bank = { account: 'Hostdesk', iban: 'DE02120300000000202051', reference: 'HD-PJFW-0116-52', epc: 'BCD' }

function Finances() {
  const [isShown, show] = useState(false)
  return (
    <Suspense fallback="The whole page is gone.">
      <button onClick={() => show(true)}>Top up</button>
      {isShown ? <BankDetails bank={bank} amount={{ amount: '2500', currency: 'EUR' }} /> : null}
    </Suspense>
  )
}

// Red while only the page's own Suspense waited for the QR code: the whole page was hidden for a moment, and the button lost the focus.
it('the page stays, with the focus in it, while the drawing of the code is on its way', async () => {
  await render(<Finances />)
  const button = page.getByRole('button', { name: 'Top up', exact: true })
  await button.click()
  await expect.element(page.getByRole('img')).toBeVisible()
  await expect.element(button).toHaveFocus()
})
