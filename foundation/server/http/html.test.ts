import { expect, it } from 'vitest'
import { html, jsonBlock } from './html.ts'

it('escapes every text that is put into markup, and markup itself only once', () => {
  const name = '<b onclick="x">&\''
  const inner = html`<li title="${name}">${name}</li>`
  expect(
    html`<ul>
      ${[inner, inner]}${undefined}${false}${7}
    </ul>`.text,
  ).toBe(
    `<ul> ${'<li title="&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;">&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;</li>'.repeat(2)}7 </ul>`,
  )
})

it('keeps data for programs from ending its block', () => {
  const block = jsonBlock('application/ld+json', { name: '</script><script>alert(1)</script>' }).text
  expect(block.match(/<\/?script/g)).toHaveLength(2)
  expect(JSON.parse(block.replace(/^<[^>]*>|<\/script>$/g, ''))).toEqual({
    name: '</script><script>alert(1)</script>',
  })
})
