import { expect, test } from '#tests/harness/story.ts'
import { newAccount, newCustomer } from './new-customer.ts'

// Rule 56: what browsers, their translators and their settings do to the page.

test('rule 56: under a translator the dialogs open and close', async ({ page }) => {
  await page.addInitScript(translate)
  await newCustomer(page, 'en', 'translated')
  for (const [path, name] of [
    ['servers/list', 'New server'],
    ['tickets', 'New ticket'],
    ['finances', 'Top up'],
  ] as const) {
    await page.goto(`/account/${path}`)
    const button = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first()
    await button.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

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

/** Does what the translator of a browser does: each text makes room for a `<font>` in a `<font>`. */
function translate(): void {
  const wrap = (text: Text) => {
    if (text.parentElement?.closest('script,style,textarea,font,title') !== null || !text.data.trim()) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
  const walk = (node: Node) => {
    if (node instanceof Text) return wrap(node)
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    return texts.forEach(wrap)
  }
  new MutationObserver((records) => {
    for (const { target, type, addedNodes } of records) {
      addedNodes.forEach(walk)
      if (type === 'characterData') walk(target)
    }
  }).observe(document, { childList: true, subtree: true, characterData: true })
}
