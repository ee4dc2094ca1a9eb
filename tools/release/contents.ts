import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'

// The release takes the source files as they are written, because Node strips the types. Pages and texts come from the build.
const taken =
  /^(app\/(server|cli|seed)|features|foundation|agent|database\/migrations|docs\/operate|deploy)\/|^features\/[^/]+$|^(LICENSE|CHANGELOG\.md|SECURITY\.md)$/
const left =
  /\.(test|e2e)\.tsx?$|\.tsx$|(^|\/)web\/|\/messages\/\w+\.json$|^(app|features|foundation)\/(.*\/)?README\.md$/

/** Copies the committed files that a server needs from the checkout to the folder of the release. */
export function copySources(root: string, folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of listed.filter((file) => taken.test(file) && !left.test(file)))
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
# Runs Hostdesk with the Node that came with it: hostdesk start, hostdesk doctor, hostdesk --help.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../app/cli/main.ts" "$@"
`
