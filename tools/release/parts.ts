import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'

/** A package whose code is in the release: on the server, in its Node, or bundled into the pages. */
export type Part = {
  name: string
  version: string
  licence: string
  folder: string
  where: 'server' | 'pages'
}

const named = z.optional(z.record(z.string(), z.string()))
const manifest = z.object({
  name: z.optional(z.string()),
  version: z.optional(z.string()),
  license: z.optional(z.union([z.string(), z.object({ type: z.string() })])),
  dependencies: named,
  devDependencies: named,
})

/** Returns all packages that are installed in the release, and those whose code is in the built pages. */
export function partsOf(root: string, folder: string): Part[] {
  const installed = globSync('node_modules/**/package.json', { cwd: folder })
    .filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => partIn(path.dirname(path.join(folder, file)), 'server'))
  const parts = [...installed, ...bundled(root).map((at) => partIn(at, 'pages'))]
  const byName = new Map(parts.toReversed().map((part) => [`${part.name}@${part.version}`, part]))
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function partIn(folder: string, where: Part['where']): Part {
  const { name = '', version = '', license = '' } = manifestIn(folder)
  return { name, version, folder, where, licence: typeof license === 'string' ? license : license.type }
}

/**
 * Returns the folders of the packages that files of the browser import, and of all packages that these depend on: their code may be
 * in a bundle.
 */
function bundled(root: string): string[] {
  const files = globSync(['{app,features,foundation}/**/*.{ts,tsx,css}'], { cwd: root }).filter(
    (file) => !/\.(test|e2e)\.tsx?$|(^|\/)(server|seed|cli)\//.test(file),
  )
  const { devDependencies = {}, dependencies = {} } = manifestIn(root)
  const sources = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n')
  const found = new Set<string>()
  for (const name of [...Object.keys(devDependencies), ...Object.keys(dependencies)])
    if (new RegExp(`(from|import|import\\()\\s*['"]${name}(/[^'"]*)?['"]`).test(sources))
      addWithDependencies(root, path.join(root, 'node_modules', name), found)
  return [...found]
}

function addWithDependencies(root: string, folder: string, found: Set<string>): void {
  if (found.has(folder)) return
  found.add(folder)
  for (const name of Object.keys(manifestIn(folder).dependencies ?? {})) {
    const own = path.join(folder, 'node_modules', name)
    addWithDependencies(root, existsSync(own) ? own : path.join(root, 'node_modules', name), found)
  }
}

const manifestIn = (folder: string) => readJson(path.join(folder, 'package.json'), manifest)

// The schema is loose, so that further fields from npm stay in the bill of materials.
const component = z.looseObject({
  'bom-ref': z.string(),
  type: z.string(),
  name: z.string(),
  version: z.string(),
})
const bill = z.looseObject({
  serialNumber: z.optional(z.string()),
  metadata: z.looseObject({
    timestamp: z.optional(z.string()),
    tools: z.optional(z.unknown()),
    component: z.looseObject({ name: z.string() }),
  }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.optional(z.array(z.string())) })),
})
type Component = z.output<typeof component>
type Bill = z.output<typeof bill>

/**
 * Returns a bill of materials (CycloneDX) as npm writes it, reduced to the parts of this release, without anything that differs
 * from one build to the next.
 */
export function billOfMaterials(release: {
  root: string
  parts: readonly Part[]
  version: string
  made: Date
  arch: string
}): Bill {
  const { root, parts, version, made, arch } = release
  const text = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const whole = z.parse(bill, JSON.parse(text))
  const self = `hostdesk@${version}`
  const refs = new Set([self, ...parts.map(({ name, version }) => `${name}@${version}`)])
  const listed = whole.components.filter((component) => refs.has(component['bom-ref']))
  const known = new Set(listed.map((component) => component['bom-ref']))
  // Node's executable is not in the lockfile, so npm does not list it.
  const more = parts
    .filter(({ name, version }) => !known.has(`${name}@${version}`))
    .map(({ name, version, licence }): Component => ({
      'bom-ref': `${name}@${version}`,
      type: 'platform',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ license: { id: licence } }],
    }))
  const places = new Map(parts.map(({ name, version, where }) => [`${name}@${version}`, where]))
  const components = [...listed, ...more].map((component) => ({
    ...component,
    scope: 'required',
    properties: [{ name: 'hostdesk:part-of', value: places.get(component['bom-ref']) ?? 'server' }],
  }))
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }))
  const { metadata, ...rest } = whole
  const sum = createHash('sha256')
    .update(`${arch} ${JSON.stringify(components)}`)
    .digest('hex')
  return {
    ...rest,
    serialNumber: `urn:uuid:${sum.slice(0, 8)}-${sum.slice(8, 12)}-5${sum.slice(13, 16)}-8${sum.slice(17, 20)}-${sum.slice(20, 32)}`,
    metadata: {
      timestamp: made.toISOString(),
      component: { ...metadata.component, name: 'hostdesk' },
    },
    components: components.toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
    dependencies,
  }
}
