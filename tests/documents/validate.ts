import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import saxon from 'saxon-js'
import { validateXML } from 'xmllint-wasm'

/** Returns the faults of a CII document by the XML schema and the published rules; empty if it is valid. */
export async function faultsInCii(xml: string): Promise<string[]> {
  return [...(await faultsBySchema(xml)), ...(await faultsByRules(xml, 'EN16931-CII'))]
}

export async function faultsInXrechnung(xml: string): Promise<string[]> {
  return [...(await faultsByRules(xml, 'EN16931-UBL')), ...(await faultsByRules(xml, 'XRechnung-UBL'))]
}

const schemas = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@stackforge-eu/factur-x')),
  '../schema/en16931',
)
const parts = ['QualifiedDataType', 'ReusableAggregateBusinessInformationEntity', 'UnqualifiedDataType']

/** Returns the faults by the XML schema that Factur-X publishes for its profile EN 16931. */
export async function faultsBySchema(xml: string): Promise<string[]> {
  const read = async (part: string) => {
    const fileName = `FACTUR-X_EN16931${part}.xsd`
    return { fileName, contents: await readFile(path.join(schemas, fileName), 'utf8') }
  }
  const { errors } = await validateXML({
    xml: { fileName: 'factur-x.xml', contents: xml },
    schema: await read(''),
    preload: await Promise.all(parts.map((part) => read(`_${part}_100`))),
  })
  return errors.map(({ message }) => message)
}

type Rules = 'EN16931-CII' | 'EN16931-UBL' | 'XRechnung-UBL'

/** Returns the faults by Schematron (rules/README.md). Warnings are no faults. */
async function faultsByRules(xml: string, rules: Rules): Promise<string[]> {
  const known = compiled.get(rules) ?? readRules(rules)
  compiled.set(rules, known)
  const { principalResult } = await saxon.transform(
    { stylesheetInternal: await known, sourceText: xml, destination: 'serialized' },
    'async',
  )
  return [...principalResult.matchAll(/<svrl:failed-assert\b([^>]*)>(.*?)<\/svrl:failed-assert>/gs)]
    .filter(([, attributes = '']) => /flag="(?:fatal|error)"/.test(attributes))
    .map(([, , text = '']) => text.replaceAll(/<[^>]*>/g, ' ').trim())
}

const compiled = new Map<Rules, Promise<object>>()

const readRules = async (rules: Rules): Promise<object> =>
  JSON.parse(
    gunzipSync(await readFile(new URL(`rules/${rules}.sef.json.gz`, import.meta.url))).toString(),
  ) as object
