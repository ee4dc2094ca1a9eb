// `npm run release`: builds the archives of a release in release/, for each architecture, or only for those named behind `--`. It
// takes only committed files, and the same commit gives the same bytes (docs/decisions/048). Its notes are the section of the version in
// CHANGELOG.md. With `-- --tag` it builds all, and tags the commit with the notes.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'
import { buildIfStale } from '../build.ts'
import { buildReference } from '#tools/reference/build.ts'
import { bytesIn, pack, sumsOf } from './archive.ts'
import { checkPackages } from './check.ts'
import { copySources } from './contents.ts'
import { licencesOf } from './licences.ts'
import { hasUnreleased, notesOf } from './notes.ts'
import { architectureNames, architectures, fetchNode, type Architecture } from './node-binary.ts'
import { installPackages, movePostgres, trimPackages } from './packages.ts'
import { billOfMaterials, partsOf } from './parts.ts'

const MOST_BYTES = 220e6

const root = process.cwd()
const output = path.join(root, 'release')

const tags = process.argv.slice(2).includes('--tag')
const wanted = process.argv.slice(2).filter((word) => word !== '--tag')
const unknown = wanted.find((name) => !(name in architectures))
if (unknown !== undefined)
  stop(`there is no '${unknown}'. There are ${Object.keys(architectures).join(', ')}.`)
const changed = git('status', '--porcelain')
if (changed) stop(`the checkout has changes that are not committed:\n${changed}`)

const { version } = readJson('package.json', z.object({ version: z.string() }))
const commit = git('rev-parse', 'HEAD')
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const notes = notesOf(changelog, version)
const tag = `v${version}`
if (tags && wanted.length > 0) stop('a tag is set with the archives of all architectures: name none.')
if (tags && hasUnreleased(changelog))
  stop(
    `CHANGELOG.md has changes under Unreleased: they need a version, with its day, which is not ${version}.`,
  )
if (tags && git('tag', '--list', tag)) stop(`${tag} is there already: raise the version in package.json.`)
const made = new Date(Number(git('log', '-1', '--format=%ct')) * 1000)

say('the pages')
await buildIfStale(root, () => {})
await buildReference(root, say)
rmSync(output, { recursive: true, force: true })
mkdirSync(output)
for (const arch of architectureNames) if (wanted.length === 0 || wanted.includes(arch)) await build(arch)
cpSync(path.join(root, 'dist/hostdeskctl.mjs'), path.join(output, `hostdeskctl-${version}.mjs`))
const notesFile = path.join(output, `hostdesk-${version}-notes.md`)
writeFileSync(notesFile, notes)
writeFileSync(path.join(output, 'SHA256SUMS'), sumsOf(output))
process.stdout.write(`\n${notes}\n${readFileSync(path.join(output, 'SHA256SUMS'), 'utf8')}`)
// Without `verbatim` Git would take the headings of the notes for comments.
if (tags) git('tag', '--annotate', '--cleanup=verbatim', '--file', notesFile, tag, commit)
say(
  tags
    ? `tagged ${tag}; publish by 'git push origin ${tag}', and release/ beside it`
    : `'npm run release -- --tag' tags this commit ${tag}`,
)

async function build(arch: Architecture): Promise<void> {
  const stage = mkdtempSync(path.join(tmpdir(), 'hostdesk-release-'))
  try {
    const name = `hostdesk-${version}`
    const [folder, postgres] = [path.join(stage, name), path.join(stage, 'postgresql', name)]
    say(`linux-${arch}: packages`)
    installPackages(root, folder, arch)
    copySources(root, folder)
    for (const built of ['dist/web', 'dist/reference', 'dist/hostdeskctl.mjs', '.generated/texts'])
      cpSync(path.join(root, built), path.join(folder, built), { recursive: true })
    writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify({ version, commit, made, arch })}\n`)
    say(`linux-${arch}: Node`)
    fetchNode(folder, arch)
    const parts = partsOf(root, folder)
    writeFileSync(path.join(folder, 'LICENCES.txt'), licencesOf(parts))
    const bill = `${JSON.stringify(billOfMaterials({ root, parts, version, made, arch }), null, 2)}\n`
    writeFileSync(path.join(folder, 'sbom.cdx.json'), bill)
    writeFileSync(path.join(output, `${name}-linux-${arch}.cdx.json`), bill)
    movePostgres(folder, postgres)
    trimPackages(folder)
    if (arch === process.arch) checkPackages(folder)
    const bytes = bytesIn(folder)
    say(
      `linux-${arch}: ${(bytes / 1e6).toFixed(1)} MB unpacked, and ${(bytesIn(postgres) / 1e6).toFixed(1)} MB of PostgreSQL`,
    )
    if (bytes > MOST_BYTES) stop(`more than ${MOST_BYTES / 1e6} MB`)
    await pack(stage, name, path.join(output, `${name}-linux-${arch}.tar.gz`), made)
    const file = path.join(output, `${name}-postgresql-linux-${arch}.tar.gz`)
    await pack(path.join(stage, 'postgresql'), name, file, made)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function git(...command: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', command, { encoding: 'utf8' })
  if (status !== 0) stop(`a release is made in a git checkout. ${stderr.trim()}`)
  return stdout.trim()
}

function say(line: string): void {
  process.stdout.write(`release: ${line}\n`)
}

function stop(line: string): never {
  process.stderr.write(`release: ${line}\n`)
  process.exit(1)
}
