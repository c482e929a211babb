import { expect, it } from 'vitest'
import { requestedVersions } from './requested-versions.js'

it.each<[string | undefined, string[], string[]]>([
  [undefined, [], []],
  ['', ['1.0'], []],
  ['1.0', ['0.3'], ['1.0']],
  [undefined, ['0.3'], ['0.3']],
  [' 1.0 ', [], ['1.0']],
  ['1.0.7, 1.0', [], ['1.0']],
  [undefined, ['1.0', '', '1.0.7'], ['1.0']],
  ['1.0, 0.3', [], ['1.0', '0.3']],
  [undefined, ['0.3', '1.0'], ['0.3', '1.0']],
  ['1.0.x', [], ['1.0.x']],
  ['1', [], ['1']],
])('reads the header %j and the query %j as %j', (header, query, versions) => {
  expect(requestedVersions(header, query)).toStrictEqual(versions)
})
