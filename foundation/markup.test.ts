import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from './markup-plain.ts'

const shown = (text: string) => plainText(text, { code: (code) => code, item: (mark) => `${mark} ` })
const visible = (text: string) => text.replaceAll(/\s+/gu, '')

/** Lines as people paste them: none of them holds a mark that was meant. */
const pasted = [
  'Hello,',
  '* * * * * /usr/bin/backup.sh',
  '*/5 * * * * root /usr/bin/backup.sh',
  '* 3 * * 1 /usr/bin/weekly',
  '* 4 * * MON-FRI /usr/bin/daily',
  '0 3 * * * cd /srv && tar czf *.tgz *',
  String.raw`C:\Users\anna\new_folder\*.log`,
  String.raw`\\server\share\_old_\*.* and D:\*`,
  String.raw`\*not bold\* \_x\_ \# \[x\] \\`,
  '~~~ disk ~~~',
  '~~~~~~~~',
  '~user and ~root',
  '1 < 2 && 3 > 2 &amp; &lt;b&gt;',
  'a*b*c and 2 * 3 * 4 and 2**8**2',
  'SELECT *, count(*) FROM a, b WHERE x LIKE "%_y_%"',
  'int *a, *b; void **c;',
  'def f(*args, **kwargs): return __init__.__name__',
  'snake_case_name, _GET_x, $_POST, __FILE__',
  '**/*.ts and /tmp/* and rm *.log *.txt',
  '/* a comment */ // another',
  '*** disk full ***',
  '***',
  '---',
  '=====',
  '# m h dom mon dow command',
  '+ added',
  '- removed',
  '* lonely',
  '3. three',
  '12. März 2026',
  '>>> print(1)',
  '>quoted without a blank',
  String.raw`curl -H 'X: y' \ `,
  '[ref]: https://example.com/a "title"',
  '[x](y) ![](z) [a][b] [[c]]',
  '| a | b |',
  '| --- | --- |',
  '<script>alert(1)</script> <!-- gone? -->',
  '    indented\twith a tab',
  '`',
  '``` not a fence, since words follow',
  'echo `date',
  '- - - -',
  '1. 1. 1.',
] as const

describe('07-pasted-message: a pasted text reads as it was written', () => {
  it('with every character of the message', () => {
    const message = [
      'Hello,',
      '* * * * * /usr/bin/backup.sh',
      String.raw`C:\Users\anna\new_folder\*.log`,
      '~~~ disk ~~~',
      '1 < 2',
      'end',
    ].join('\n')
    expect(shown(message)).toBe(message)
  })

  it.each(pasted)('%s', (line) => {
    expect(visible(shown(line))).toBe(visible(line))
    expect(visible(shown(`before\n${line}\nafter`))).toBe(visible(`before\n${line}\nafter`))
    expect(visible(shown(`before\n\n${line}\n\nafter`))).toBe(visible(`before\n\n${line}\n\nafter`))
  })

  it('in any order of such lines', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pasted), { maxLength: 12 }), (lines) => {
        const text = lines.join('\n')
        expect(visible(shown(text))).toBe(visible(text))
      }),
      { numRuns: 300 },
    )
  })

  it('and of a text of any characters only pairs of marks, fences and quotes are gone', () => {
    const letters = fc.constantFrom(
      ...'ab *_~`\\>-#[]()!.1:/\n\t<&é|',
      '**',
      '~~',
      '```',
      '\n> ',
      '\n- ',
      '\n1. ',
      'https://x.yz',
    )
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 60 }), (parts) => {
        const text = parts.join('')
        const withoutMarks = (given: string) => given.replaceAll(/[\s*_~`>]|\[|\]|\([^()\s]*\)/gu, '')
        expect(withoutMarks(shown(text))).toBe(withoutMarks(text))
      }),
      { numRuns: 1000 },
    )
  })
})

it.each([
  ['**bold** and *italic*, ~~struck~~ (**in brackets**).', 'bold and italic, struck (in brackets).'],
  [
    '***both***, **bold *within* bold**, _words_ and __two words__',
    'both, bold within bold, words and two words',
  ],
  ['`a*b*c` **`code`** and [a *link*](https://example.com/x_y_z)', 'a*b*c code and a link'],
  ['```sh\ntop -b\n```\nend', 'top -b\n\nend'],
  ['~~~\nkeeps its fences\n~~~', '~~~\nkeeps its fences\n~~~'],
  ['> quoted\n> on\n\nnot', 'quoted\non\n\nnot'],
  ['- one\n  more of it\n- two\n\n- three', '- one\nmore of it\n- two\n- three'],
  ['5. Oktober\n7. November', '5. Oktober\n7. November'],
  ['**Note:** done', 'Note: done'],
])('reads what is meant as a mark: %j', (text, plain) => {
  expect(shown(text)).toBe(plain)
})

it('takes no longer than a blink for what nobody writes by hand', () => {
  const begun = performance.now()
  for (const part of [
    '>',
    '> ',
    '*',
    '*a ',
    '* ',
    '[',
    '[a](',
    '`',
    '` a',
    '- ',
    '1. ',
    '~~~x\n',
    '```x\n',
    '_a_ ',
    '**a** `b` ',
    'https://x.y)',
    '((((',
    '  - a\n',
    'a@b.c ',
  ])
    shown(part.repeat(20_000 / part.length))
  expect(performance.now() - begun).toBeLessThan(5000)
})
