import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compileCSharp, compilerEnvironment } from './languages.ts'
import { DAY, claims, entitlements, list, publicKeys, signed } from './documents.ts'

type Program = { file: string; library: string; runs: readonly [string, ...string[]] }

const programs: Record<string, Program> = {
  js: { file: 'check.mjs', library: 'agent/judge.mjs', runs: [process.execPath, 'check.mjs'] },
  python: {
    file: 'check.py',
    library: 'agent/libraries/python/hostdesk_licence.py',
    runs: ['python3', '-B', 'check.py'],
  },
  go: { file: 'main.go', library: 'agent/libraries/go/licence.go', runs: ['go', 'run', '.'] },
  java: {
    file: 'Check.java',
    library: 'agent/libraries/java/HostdeskLicence.java',
    runs: ['sh', '-c', 'javac -encoding UTF-8 *.java && exec java Check'],
  },
  csharp: {
    file: 'Check.cs',
    library: 'agent/libraries/csharp/HostdeskLicence.cs',
    runs: ['sh', '-c', `${compileCSharp} -out:check.exe *.cs && exec mono check.exe`],
  },
  rust: {
    file: 'check.rs',
    library: 'agent/libraries/rust/hostdesk_licence.rs',
    runs: ['cargo', 'run', '--quiet', '--offline'],
  },
  php: { file: 'check.php', library: 'agent/libraries/php/HostdeskLicence.php', runs: ['php', 'check.php'] },
}

/** Runs the program of docs/vendors.md in a language, with a licence that is valid now. Returns the output. */
export function runGuide(language: string): string {
  const { file, library, runs } = programs[language] ?? { file: '', library: '', runs: [''] as const }
  const [, program = ''] =
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(readFileSync('docs/vendors.md', 'utf8')) ?? []
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-vendor-'))
  try {
    writeFileSync(path.join(folder, file), program)
    copyFileSync(library, path.join(folder, path.basename(library)))
    if (language === 'go') asModule(folder)
    if (language === 'rust') asPackage(folder)
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + 7 * DAY
    const paid_until = new Date((iat + 30 * DAY) * 1000).toISOString()
    const licence = { ...claims, entitlements, iat, exp, paid_until, next: [] }
    writeFileSync(path.join(folder, 'licence.jws'), signed(licence))
    writeFileSync(path.join(folder, 'jwks.json'), JSON.stringify({ keys: publicKeys }))
    writeFileSync(path.join(folder, 'revocations.jws'), list({ iat, exp: iat + DAY }))
    const [command, ...args] = runs
    const env = compilerEnvironment(folder)
    const { stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
    return `${stdout}${stderr}`.trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes the folder a Go module and moves the library into a folder below it: Go imports a package by its folder. */
function asModule(folder: string): void {
  mkdirSync(path.join(folder, 'licence'))
  copyFileSync(path.join(folder, 'licence.go'), path.join(folder, 'licence', 'licence.go'))
  rmSync(path.join(folder, 'licence.go'))
  writeFileSync(path.join(folder, 'go.mod'), 'module hostdesk\n\ngo 1.19\n')
}

/** Makes the folder a package of Rust with the dependencies of the library, as they are locked there. */
function asPackage(folder: string): void {
  const library = 'agent/libraries/rust'
  const text = readFileSync(path.join(library, 'Cargo.toml'), 'utf8')
    .replaceAll('test_vectors', 'check')
    .replace(/\[\[bin\]\]\nname = "test_online"\npath = .*\n/, '')
  writeFileSync(path.join(folder, 'Cargo.toml'), text)
  copyFileSync(path.join(library, 'Cargo.lock'), path.join(folder, 'Cargo.lock'))
}
