import { expect, test } from '#tests/harness/story.ts'
import { newAccount } from './new-customer.ts'

// Rule 56: what the settings of a browser do to the page. Its translators: foundation/web/foreign-nodes.test.tsx.

for (const how of ['throws', 'is missing', 'is full'])
  test(`rule 56: a customer signs in where storage ${how}`, async ({ page, context }) => {
    const { email, password } = await newAccount(page, 'en', 'no-storage')
    const tab = await context.newPage()
    await tab.addInitScript(breakStorage, how)
    await tab.goto('/account/')
    await tab.getByLabel('Email', { exact: true }).fill(email)
    await tab.getByLabel('Password', { exact: true }).fill(password)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(tab.getByRole('button', { name: 'New server' }).first()).toBeVisible()
  })

function breakStorage(how: string): void {
  for (const name of ['localStorage', 'sessionStorage'])
    if (how !== 'is full')
      Object.defineProperty(window, name, {
        configurable: true,
        get: () => {
          if (how === 'is missing') return null
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
  if (how === 'is full')
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
}
