import { existsSync } from 'node:fs'
import path from 'node:path'
import { done } from './commands.ts'

/** Each kind of package comes by its ordinary client, in an exact version, into the folder of one generator. */

export const npmPackages = (folder: string, packages: readonly string[]) =>
  done('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], folder)

/** Installs into `venv`, which it makes where it is not there yet. */
export async function pythonPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (!existsSync(path.join(folder, 'venv'))) await done('python3', ['-m', 'venv', 'venv'], folder)
  await done('venv/bin/pip', ['install', '--quiet', '--disable-pip-version-check', ...packages], folder)
}

/** Builds a command of a Go module. Returns its path. */
export async function goModule(folder: string, module: string): Promise<string> {
  await done('go', ['install', module], folder, { GOBIN: path.join(folder, 'bin') })
  return path.join(folder, 'bin', path.basename(module.split('@')[0] ?? ''))
}

/** Fetches openapi-generator with all that it needs as one jar. Returns its path. */
export async function fetchJar(folder: string, version: string): Promise<string> {
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${version}`
  await done('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], folder)
  return path.join(folder, `openapi-generator-cli-${version}.jar`)
}
