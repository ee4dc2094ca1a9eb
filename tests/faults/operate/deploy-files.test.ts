import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { hasProgram } from '#tools/has-program.ts'
import { writeSchemas, type Swagger } from './kubernetes-schemas.ts'

// The files for third-party programs are checked by these programs, or by the parsers that the programs use.
const place = mkdtempSync(path.join(tmpdir(), 'hostdesk-deploy-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const run = (program: string, ...parameters: string[]) =>
  spawnSync(program, parameters, { encoding: 'utf8', cwd: place })

describe.skipIf(!hasProgram('systemd-analyze'))('systemd', () => {
  const units = path.join(place, 'root/etc/systemd/system')
  mkdirSync(units, { recursive: true })
  for (const unit of [...globSync('deploy/systemd/*.{service,target}'), 'agent/hostdesk-agent.service'])
    cpSync(unit, path.join(units, path.basename(unit)))
  // The units need the programs that they start, and the targets that they wait for.
  for (const program of ['opt/hostdesk/current/bin/hostdesk', 'bin/sh'])
    cpSync('/bin/true', path.join(place, 'root', program), { dereference: true })
  mkdirSync(path.join(place, 'root/usr/lib/systemd'), { recursive: true })
  cpSync('/lib/systemd/system', path.join(place, 'root/usr/lib/systemd/system'), {
    recursive: true,
    filter: (file) => !path.basename(file).includes('.') || file.endsWith('.target'),
  })
  const root = `--root=${path.join(place, 'root')}`
  const services = ['hostdesk@3000', 'hostdesk-web@3000', 'hostdesk-worker@3010']

  it('finds nothing wrong in the units', () => {
    const names = [...services.map((name) => `${name}.service`), 'hostdesk.target']
    const verified = run('systemd-analyze', 'verify', root, '--man=no', ...names)
    expect(verified).toMatchObject({ status: 0, stderr: '' })
  })

  it.each(services)('gives %s the exposure of the agent, or less', (name) => {
    const exposure = (unit: string) =>
      Number(
        must(
          /exposure level for \S+: ([\d.]+)/.exec(
            run('systemd-analyze', 'security', '--offline=true', root, unit).stdout,
          ),
        )[1],
      )
    const its = exposure(`${name}.service`)
    process.stdout.write(`  ${name}: exposure ${its}\n`)
    expect(its).toBeLessThanOrEqual(exposure('hostdesk-agent.service'))
    expect(its).toBeLessThan(2)
  })
})

describe('compose.yaml', () => {
  const file = path.resolve('deploy/container/compose.yaml')

  // The parser of Docker Compose as a program: go build -o compose-go github.com/compose-spec/compose-go/v2/cmd
  it.skipIf(!hasProgram('compose-go'))('is read by the parser of Docker Compose', () => {
    const read = run('compose-go', '-no-interpolation', '-format=json', file)
    expect(read).toMatchObject({ status: 0, stderr: '' })
    const { services } = JSON.parse(read.stdout) as { services: Record<string, Record<string, unknown>> }
    expect(Object.keys(services).toSorted()).toEqual(['bucket', 'database', 'mail', 'web', 'worker'])
    for (const name of ['web', 'worker'])
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  })

  it('makes the owner of the database with the rights that the page gives', () => {
    const rightsIn = (text: string) => /create role hostdesk (.*?) password/.exec(text)?.[1]
    const page = readFileSync('docs/operate/install.md', 'utf8')
    expect(rightsIn(readFileSync(file, 'utf8'))).toBe(must(rightsIn(page)))
  })

  it('demands nothing that the page does not set', () => {
    const demanded = [...readFileSync(file, 'utf8').matchAll(/\$\{([A-Z0-9_]+):\?\}/g)].map(
      ([, name]) => name,
    )
    const page = readFileSync('docs/operate/install.md', 'utf8')
    const exported = [...page.matchAll(/^export (.*)$/gm)].flatMap(([, line = '']) =>
      [...line.matchAll(/(?:^| )([A-Z0-9_]+)=/g)].map(([, name]) => name),
    )
    expect(demanded).toContain('SECRET_KEY')
    expect(demanded.filter((name) => !exported.includes(name))).toEqual([])
  })
})

// `go mod download k8s.io/kubernetes@v1.37.0` brings the description of Kubernetes' own API.
const [swagger] = hasProgram('go')
  ? globSync(
      `${execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()}/k8s.io/kubernetes@*/api/openapi-spec/swagger.json`,
    )
  : []

describe.skipIf(swagger === undefined || !hasProgram('kubeconform'))('the manifests for Kubernetes', () => {
  const schemas = path.join(place, 'schemas')
  if (swagger !== undefined) writeSchemas(JSON.parse(readFileSync(swagger, 'utf8')) as Swagger, schemas)
  const kubeconform = (file: string) =>
    run(
      'kubeconform',
      '-strict',
      '-summary',
      `-schema-location=${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`,
      path.resolve(file),
    )
  const file = 'deploy/kubernetes/hostdesk.yaml'

  it('are valid against the strict schemas of the Kubernetes API', () => {
    const judged = kubeconform(file)
    process.stdout.write(`  ${judged.stdout}`)
    expect(judged).toMatchObject({ status: 0, stdout: expect.stringContaining('Valid: 7,') as string })
  })

  it.each([
    ['a field that is misspelt', 'readinessProbe:', 'readinesProbe:'],
    ['a number that is a text', 'replicas: 2', 'replicas: two'],
  ])('would not be with %s', (_name, right, wrong) => {
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(right)
    const broken = path.join(place, 'broken.yaml')
    writeFileSync(broken, text.replace(right, wrong))
    expect(kubeconform(broken)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Invalid: 1') as string,
    })
  })
})
