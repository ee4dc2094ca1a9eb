import { expect, it } from 'vitest'
import { programsIn, serversIn } from './server-lines.ts'

it('L-28 reads a server a line, by its address and a name before or after it, and names the lines that are none', () => {
  const text =
    'web-1 10.0.0.1\n\n10.0.0.2, db one ;\n10.0.0.3\r\nweb-4\t10.0.0.4\nno address\n10.0.0\n10.0.0.256 x'
  expect(serversIn(text)).toEqual({
    servers: [
      { name: 'web-1', ipv4: '10.0.0.1', line: 0 },
      { name: 'db one', ipv4: '10.0.0.2', line: 2 },
      { ipv4: '10.0.0.3', line: 3 },
      { name: 'web-4', ipv4: '10.0.0.4', line: 4 },
    ],
    wrong: [
      { line: 5, text: 'no address' },
      { line: 6, text: '10.0.0' },
      { line: 7, text: '10.0.0.256 x' },
    ],
  })
  expect(serversIn(`${'x'.repeat(64)} 10.0.0.1`).wrong).toHaveLength(1)
  expect(serversIn('a\u202Eb 10.0.0.1').wrong).toHaveLength(1)
})

it('L-28 reads a licence of a program a line, by its name', () => {
  expect(programsIn(`laptop of Anna\n\n desk 2 \r\n${'x'.repeat(65)}`)).toEqual({
    servers: [
      { name: 'laptop of Anna', line: 0 },
      { name: 'desk 2', line: 2 },
    ],
    wrong: [{ line: 3, text: 'x'.repeat(65) }],
  })
})
