import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { done } from './commands.ts'
import { copyProgram, ofPython, ofTypeScript, type Generator, type Workplace } from './generator.ts'
import { fetchJar, goModule, pythonPackages } from './packages.ts'

const OPENAPI_GENERATOR = '7.25.0'

const byOpenapiGenerator =
  (language: string, ...more: string[]) =>
  async ({ folder, calls }: Workplace): Promise<unknown> => {
    const jar = await fetchJar(folder, OPENAPI_GENERATOR)
    return done('java', ['-jar', jar, 'generate', '-i', calls, '-g', language, '-o', 'made', ...more], folder)
  }

export const generators: readonly Generator[] = [
  ofTypeScript(
    'openapi-typescript',
    'openapi-typescript.ts',
    ['openapi-typescript', 'DOCUMENT', '-o', 'made/types.ts'],
    ['openapi-fetch@0.17.0', 'esbuild@0.28.2'],
  ),
  ofTypeScript(
    '@hey-api/openapi-ts',
    'hey-api.ts',
    ['openapi-ts', '-i', 'DOCUMENT', '-o', 'made', '--no-log-file'],
    ['esbuild@0.28.2'],
  ),
  ofPython('openapi-generator python', OPENAPI_GENERATOR, {
    needs: ['java', 'mvn'],
    module: 'openapi_client',
    file: 'openapi_generator.py',
    make: byOpenapiGenerator('python'),
  }),
  {
    name: 'openapi-generator go',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn', 'go'],
    generate: byOpenapiGenerator('go', '-p', 'enumClassPrefix=true'),
    async compile(place) {
      copyProgram('openapi-generator.go', place, 'made/cmd/list/main.go')
      await done('go', ['mod', 'tidy'], path.join(place.folder, 'made'))
      await done('go', ['vet', '.'], path.join(place.folder, 'made'))
      await done('go', ['build', '-o', '../list', './cmd/list'], path.join(place.folder, 'made'))
    },
    list: ({ folder, env }) => done('./list', [], folder, env),
  },
  {
    name: 'openapi-generator java',
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn'],
    generate: byOpenapiGenerator('java'),
    async compile(place) {
      copyProgram('ListHosts.java', place, 'made/src/main/java/ListHosts.java')
      const compiled = [
        '-q',
        '-B',
        '-DskipTests',
        'compile',
        'dependency:build-classpath',
        '-Dmdep.outputFile=path',
      ]
      await done('mvn', compiled, path.join(place.folder, 'made'))
    },
    list({ folder, env }) {
      const made = path.join(folder, 'made')
      const classes = `target/classes:${readFileSync(path.join(made, 'path'), 'utf8').trim()}`
      return done('java', ['-cp', classes, 'ListHosts'], made, env)
    },
  },
  {
    name: 'oapi-codegen',
    version: '2.8.2',
    needs: ['go'],
    async generate({ folder, document }) {
      const command = await goModule(
        folder,
        'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      )
      await done(
        command,
        ['-generate', 'types,client', '-package', 'hostdesk', '-o', 'hostdesk.go', document],
        folder,
      )
    },
    async compile(place) {
      copyProgram('oapi-codegen.go', place, 'cmd/list/main.go')
      writeFileSync(path.join(place.folder, 'go.mod'), 'module hostdesk\n\ngo 1.24\n')
      await done('go', ['mod', 'tidy'], place.folder)
      await done('go', ['build', '-o', 'list', './cmd/list'], place.folder)
    },
    list: ({ folder, env }) => done('./list', [], folder, env),
  },
  ofPython('openapi-python-client', '0.29.1', {
    needs: [],
    module: 'hostdesk_client',
    file: 'openapi_python_client.py',
    async make({ folder, document }) {
      await pythonPackages(folder, ['openapi-python-client==0.29.1'])
      writeFileSync(path.join(folder, 'names.json'), '{"project_name_override": "hostdesk-client"}')
      const made = ['--path', document, '--output-path', 'made', '--config', 'names.json', '--meta', 'poetry']
      await done('venv/bin/openapi-python-client', ['generate', ...made], folder)
    },
  }),
]
