import '#app/web/styles.css'
import { describe, expect, it } from 'vitest'
import { render } from '#tests/web/render.tsx'
import { MarkedText } from './marked-text.tsx'

const shown = async (text: string) => (await render(<MarkedText text={text} />)).firstElementChild!

describe('rule 23: words become elements, never markup', () => {
  it('shows bold, italic, code, lists, quotes and links', async () => {
    const page = await shown(
      '**bold** *italic* `code`\n\n- one\n- two\n\n3. three\n7. seven\n\n> quoted\n\n```\nlet a = 1\n```\n[ours](https://example.com/a?b=1)',
    )
    expect(page.querySelector('strong')?.textContent).toBe('bold')
    expect(page.querySelector('em')?.textContent).toBe('italic')
    expect([...page.querySelectorAll('ul li')].map(({ textContent }) => textContent)).toEqual(['one', 'two'])
    expect([...page.querySelectorAll('ol li')].map((item) => item.getAttribute('value'))).toEqual(['3', '7'])
    expect(page.querySelector('blockquote')?.textContent).toBe('quoted')
    expect(page.querySelector('pre')?.textContent).toBe('let a = 1')
    const link = page.querySelector('a')!
    expect([link.href, link.rel]).toEqual(['https://example.com/a?b=1', 'noopener noreferrer nofollow'])
  })

  // Seen red: stars became lists in lists, a drawn line swallowed all below it, and each backslash before a mark was lost.
  it('07-pasted-message: reads as it was written, with every character and blank', async () => {
    const lines = [
      '* * * * *  /usr/bin/backup.sh',
      String.raw`C:\Users\anna\new_folder\*.log`,
      '~~~ disk ~~~',
      '1 < 2',
      'end',
    ]
    const page = await shown(lines.join('\n'))
    expect(page.querySelector('ul, ol, pre, em')).toBeNull()
    expect((page as HTMLElement).innerText).toBe(lines.join('\n'))
  })

  it('keeps single line breaks and blanks in code', async () => {
    const page = await shown('one\ntwo\n\n```\n  indented\n```')
    expect(page.querySelector('br')).not.toBeNull()
    expect(page.querySelector('code')?.textContent).toBe('  indented')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](data:text/html,<script>alert(1)</script>)',
    '![](https://example.com/pixel.png)',
    '<svg onload=alert(1)>',
    '[a](vbscript:x)',
    '<a href="https://example.com">x</a>',
    '[x](//example.com)',
  ])('shows %j as it was typed', async (text) => {
    const page = await shown(text)
    expect(page.querySelector('script, img, svg, iframe, a, [onerror], [onload]')).toBeNull()
    expect(page.textContent.length).toBeGreaterThan(0)
  })

  it('shows the real host of a link whose text names another', async () => {
    expect((await shown('[www.mybank.example](https://evil.example/login)')).textContent).toContain(
      '(evil.example)',
    )
    expect((await shown('https://example.com/path')).textContent).toBe('https://example.com/path')
  })

  // Seen red: `pal.example` counted as the host named in `paypal.example`, which ends like it, and hosts that are not in Latin
  // letters were not recognised as hosts.
  it.each([
    ['[https://paypal.example/login](https://pal.example/)', 'pal.example'],
    ['[банк.рф](https://evil.example/)', 'evil.example'],
    ['[bank\u200B.example](https://evil.example/)', 'evil.example'],
    ['[ｂａｎｋ．example](https://evil.example/)', 'evil.example'],
    ['[\u202Eelpmaxe.knab](https://evil.example/)', 'evil.example'],
    ['https://bank.example@evil.example/', 'evil.example'],
    ['[evil.example and bank.example](https://evil.example/)', 'evil.example'],
  ])('shows the host of %j', async (text, host) => {
    expect((await shown(text)).textContent).toContain(`(${host})`)
  })

  it.each([
    'https://example.com/a/page.html?file=b.pdf#c.d',
    '[example.com](https://www.example.com/)',
    '[See www.example.com/help.html.](https://example.com/help.html)',
    '[EXAMPLE.com](https://example.com)',
    '[bücher.example](https://bücher.example/)',
    '[our page](https://example.com/)',
    '[me@example.com](mailto:you@example.org)',
  ])('adds no host to a link whose text matches: %j', async (text) => {
    expect((await shown(text)).textContent).not.toContain('(')
  })

  it('survives input that nobody writes by hand', async () => {
    for (const text of [
      '>'.repeat(5000) + ' deep',
      '*'.repeat(20_000),
      '['.repeat(10_000),
      '- '.repeat(3000) + 'x',
    ])
      expect((await shown(text)).textContent.length).toBeGreaterThan(0)
  })
})

// Seen red: nested lists left no width for their words, so that the words stood on one endless line.
it.each(['- ', '> ', '1. ', '- > '])(
  "rule 23: keeps what is nested beyond reason ('%s' 500 times) within a narrow window",
  async (mark) => {
    const page = await render(
      <div className="w-60 overflow-x-auto">
        <MarkedText text={`${mark.repeat(500)}deep`} />
      </div>,
    )
    const { scrollWidth, clientWidth } = page.firstElementChild!
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  },
)
