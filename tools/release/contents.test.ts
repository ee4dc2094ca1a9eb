import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { linksOf, releaseFiles } from './contents.ts'

const files = releaseFiles(process.cwd())

it('a release has its README, and each link on each of its pages leads to something that is in it', () => {
  expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/operate/install.md']))
  const folders = files.flatMap((file) => foldersAbove(file))
  const there = new Set([...files, ...folders])
  const pages = files.filter((file) => file.endsWith('.md'))
  const links = pages.flatMap((page) =>
    linksOf(page, readFileSync(page, 'utf8')).map((link) => ({ page, ...link })),
  )
  expect(links.length).toBeGreaterThan(200)
  expect(links.filter(({ to }) => !there.has(to)).map(({ page, link }) => `${page}: ${link}`)).toEqual([])
})

it('a release holds no tests, no pages of the browser in source and no sources of texts', () => {
  const sources = files.filter((file) => /\.(?:test|e2e)\.tsx?$|\/messages\/\w+\.json$/.test(file))
  expect(sources).toEqual([])
})

function foldersAbove(file: string): string[] {
  const folder = path.posix.dirname(file)
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)]
}
