import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const ways = {
  'npm start': 'package.json',
  release: 'tools/release/contents.ts',
  image: 'deploy/container/Containerfile',
}

it.each(Object.entries(ways))('%s limits the space of young objects as the others do', (_way, file) => {
  expect(readFileSync(file, 'utf8').match(/"?--max-semi-space-size=\d+/gu)).toEqual([
    expect.stringMatching(/--max-semi-space-size=16$/u),
  ])
})
