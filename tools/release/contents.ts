import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'

// The release takes the source files as they are written, because Node strips the types. Pages and texts come from the build.
const taken =
  /^(app\/(server|cli|seed)|features|foundation|agent|clients\/verify-statement|database\/(baseline|migrations)|docs|deploy)\/|^features\/[^/]+$|^(LICENSE|[A-Z]+\.md)$/
const left = /\.(test|e2e)\.tsx?$|\.tsx$|(^|\/)web\/|\/messages\/\w+\.json$/

/** Returns the files of the checkout that a release holds, and those that its pages point to: a page with a dead link helps nobody. */
export function releaseFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  const files = new Set(listed.filter((file) => taken.test(file) && !left.test(file)))
  const known = new Set(listed)
  // A set that grows is walked to its end: pages that came along are read, too.
  for (const page of files)
    if (page.endsWith('.md'))
      for (const { to } of linksOf(page, readFileSync(path.join(root, page), 'utf8')))
        if (known.has(to)) files.add(to)
  return [...files].toSorted()
}

/** Returns the files and folders of the checkout that a page links to or shows. */
export function linksOf(page: string, text: string): { link: string; to: string }[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
    .map(([, inText, inMarkup]) => inText ?? inMarkup ?? '')
    .filter((link) => !/^(?:[a-z]+:|#|\/)/.test(link))
    .map((link) => ({
      link,
      to: path.posix.join(path.posix.dirname(page), link.replace(/#.*$/, '')).replace(/\/$/, ''),
    }))
}

/** Copies the committed files that a server needs from the checkout to the folder of the release. */
export function copySources(root: string, folder: string): void {
  for (const file of releaseFiles(root))
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), manifest(root))
  mkdirSync(path.join(folder, 'bin'))
  writeFileSync(path.join(folder, 'bin/hostdesk'), launcher)
  chmodSync(path.join(folder, 'bin/hostdesk'), 0o755)
}

/** Returns the release's package.json: the fields that Node reads (`type`, `imports`) and the fields that people look for. */
function manifest(root: string): string {
  const {
    name,
    version,
    private: isPrivate,
    description,
    license,
    type,
    imports,
    dependencies,
  } = readJson(path.join(root, 'package.json'), z.record(z.string(), z.unknown()))
  const kept = { name, version, private: isPrivate, description, license, type, imports, dependencies }
  return `${JSON.stringify(kept, null, 2)}\n`
}

const launcher = `#!/bin/sh
# Runs Hostdesk with the Node that came with it: hostdesk start, hostdesk doctor, hostdesk --help. The young objects of V8 get 16 MB,
# as in npm start (docs/decisions/230-a-small-young-generation.md).
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" --max-semi-space-size=16 "$here/../app/cli/main.ts" "$@"
`
