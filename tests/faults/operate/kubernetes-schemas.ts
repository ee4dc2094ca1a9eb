import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

type Kind = { group: string; kind: string; version: string }
type Schema = {
  type?: string
  format?: string
  properties?: Record<string, Schema>
  'x-kubernetes-group-version-kind'?: Kind[]
}
export type Swagger = { definitions: Record<string, Schema> }

/** Writes a schema for each kind of Kubernetes' API description. The schema refuses fields that the description does not name. */
export function writeSchemas({ definitions }: Swagger, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, strictly(name, schema)]),
  )
  writeFileSync(path.join(folder, 'definitions.json'), JSON.stringify({ definitions: strict }))
  for (const [name, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries(definitions))
    for (const { group, kind, version } of kinds.slice(0, 1)) {
      // The name of the file is what kubeconform asks for: deployment-apps-v1, service-v1.
      const file = [kind, group.split('.')[0], version].filter(Boolean).join('-').toLowerCase()
      const schema = { $ref: `definitions.json#/definitions/${name}` }
      writeFileSync(path.join(folder, `${file}.json`), JSON.stringify(schema))
    }
}

function strictly(name: string, schema: Schema): object {
  if (schema.format === 'int-or-string') return { type: ['string', 'integer'] }
  if (name.endsWith('.api.resource.Quantity')) return { type: ['string', 'number'] }
  return schema.properties ? { ...schema, additionalProperties: false } : schema
}
