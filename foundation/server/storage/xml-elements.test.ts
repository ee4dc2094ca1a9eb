import { expect, it } from 'vitest'
import { elements, firstText } from './xml-elements.ts'

it('reads the answers of S3, whatever a key contains', () => {
  const page = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <Contents><Key>a&amp;b&lt;&#x41;&#66;&apos;&unknown;</Key><Owner><ID>1</ID></Owner></Contents><Contents><Key>two</Key></Contents>
    <NextContinuationToken>1/&quot;==</NextContinuationToken></ListBucketResult>`
  expect(elements(page, 'Contents').map((entry) => firstText(entry, 'Key'))).toEqual([
    `a&b<AB'&unknown;`,
    'two',
  ])
  expect(firstText(page, 'NextContinuationToken')).toBe('1/"==')
  expect(firstText(page, 'Code')).toBeUndefined()
})
