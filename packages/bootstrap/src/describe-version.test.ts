import { expect, it } from 'vitest'
import { describeVersion } from './describe-version.js'

it('prints a command that a shell runs as it is, at the Temporal of this process', () => {
  expect(describeVersion({ deploymentName: "harbour's", buildId: '1.2' }, { address: '127.0.0.1:7233' })).toEqual([
    "This version gets no tasks until it is current: temporal worker deployment set-current-version --address 127.0.0.1:7233 --namespace default --deployment-name 'harbour'\\''s' --build-id 1.2",
    '',
  ])
  expect(describeVersion({ deploymentName: 'support', buildId: 'v 7' }, { address: 'temporal:7233', namespace: 'prod' })[0]).toMatch(
    / --address temporal:7233 --namespace prod --deployment-name support --build-id 'v 7'$/,
  )
})

it('says nothing where no version takes part', () => {
  expect(describeVersion(undefined, { address: '127.0.0.1:7233' })).toEqual([])
})
