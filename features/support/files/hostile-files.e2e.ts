import { must } from '#foundation/must.ts'
import { hostileFiles } from '#tests/harness/hostile-files.ts'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'

// The browser logs each file that it refuses to run. It also logs that the test's own set-up script has no access to the storage in a frame
// with a preview: this shows that the sandbox holds.
const refusals = /^(?:Refused to|Framing) |Access is denied for this document/
test.use({ bypassCSP: true, expectedComplaint: refusals })

// Seen red with files served as pages that a browser shows: their scripts ran.
test('rule 25: with the policy of our own pages switched off, a hundred files that were made to hurt run nowhere: not in the chat, not however they are fetched', async ({
  page,
  context,
}) => {
  test.setTimeout(300_000)
  const { token } = await newCustomer(page, 'en')
  const chatId = (await new ServerCalls(page, token).asks('Files', 'Look')).id
  const ran: string[] = []
  context.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  const files = await hostileFiles()
  const ids: string[] = []
  await inTurns(files.length, async (at) => {
    const [name, buffer] = must(files[at])
    const file = { name, mimeType: 'text/html', buffer }
    const sent = { token, multipart: { file }, status: 201 }
    ids[at] = (await callApi<{ id: string }>(page, 'POST', '/api/attachments/', sent)).id
  })
  expect(ids.length).toBeGreaterThan(100)
  for (let at = 0; at < ids.length; at += 10)
    await callApi(page, 'POST', `/api/tickets/${chatId}/messages/`, {
      token,
      data: { client_id: crypto.randomUUID(), text: 'x', attachment_ids: ids.slice(at, at + 10) },
    })
  await page.goto(`/account/tickets/${chatId}`)
  await expect(page.getByRole('log').getByRole('list')).not.toHaveCount(0)
  // Each picture with a preview is scrolled into view, because a preview is fetched only then.
  const pictures = await page
    .getByRole('log')
    .getByRole('button', { name: /^View .* full size$/ })
    .all()
  expect(pictures.length).toBeGreaterThan(5)
  for (const picture of pictures) {
    await picture.scrollIntoViewIfNeeded()
    await expect(picture.locator('img')).toBeVisible()
  }

  // From here on every request bears the token, also requests of elements, which cannot send it by themselves.
  await context.setExtraHTTPHeaders({ authorization: `Bearer ${token}` })
  const paths = ids.flatMap((id) => [`/api/attachments/${id}/`, `/api/attachments/${id}/preview`])
  for (let at = 0; at < paths.length; at += 10) await page.evaluate(embed, paths.slice(at, at + 10))
  // Each file is also opened as a page of its own.
  const visitors = await Promise.all(Array.from({ length: AT_ONCE }, () => context.newPage()))
  await inTurns(ids.length, async (at, turn) => {
    const opened = await must(visitors[turn])
      .goto(`/api/attachments/${ids[at]}/`)
      .catch((error: Error) => error)
    expect.soft(opened, 'a download, not a page').toBeInstanceOf(Error)
  })
  expect(ran).toEqual([])
})

const AT_ONCE = 4

/** Runs `work` `count` times, with limited concurrency; `turn` is the number of the worker. */
async function inTurns(count: number, work: (at: number, turn: number) => Promise<void>): Promise<void> {
  let next = 0
  const turns = Array.from({ length: AT_ONCE }, async (_, turn) => {
    while (next < count) await work(next++, turn)
  })
  await Promise.all(turns)
}

/** Runs in the page: puts each path into every element that could run or show it, until all were answered or a second is over. */
async function embed(paths: string[]): Promise<void> {
  const kinds = [
    ['iframe', 'src'],
    ['img', 'src'],
    ['script', 'src'],
    ['embed', 'src'],
    ['object', 'data'],
    ['link', 'href'],
  ] as const
  const elements = paths.flatMap((path) =>
    kinds.map(([tag, attribute]) => {
      const element = document.createElement(tag)
      element.setAttribute(attribute, path)
      if (tag === 'link') element.setAttribute('rel', 'stylesheet')
      return element
    }),
  )
  const answered = elements.map(
    (element) =>
      new Promise((resolve) => {
        element.addEventListener('load', resolve)
        element.addEventListener('error', resolve)
      }),
  )
  document.body.append(...elements)
  await Promise.race([Promise.all(answered), new Promise((resolve) => setTimeout(resolve, 1000))])
  for (const element of elements) element.remove()
}
