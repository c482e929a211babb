import { describe, expect, it } from 'vitest'
import { createTeardown } from './teardown.js'

describe('createTeardown', () => {
  it('ends the last begun first, each once', async () => {
    const ended: string[] = []
    const teardown = createTeardown(() => undefined)
    for (const name of ['folder', 'engine', 'server']) teardown.add(name, () => void ended.push(`${name}, ${teardown.ending()}`))
    expect(teardown.ending()).toBeUndefined()
    await Promise.all([teardown.run(), teardown.run()])
    expect(ended).toEqual(['server, server', 'engine, engine', 'folder, folder'])
    expect(teardown.ending()).toBeUndefined()
  })

  it('goes on where an end fails, and tells which', async () => {
    const ended: string[] = []
    const failures: unknown[] = []
    const teardown = createTeardown((name, error) => failures.push([name, error]))
    const broken = new Error('broken')
    teardown.add('folder', () => void ended.push('folder'))
    teardown.add('engine', () => Promise.reject(broken))
    await teardown.run()
    expect(ended).toEqual(['folder'])
    expect(failures).toEqual([['engine', broken]])
  })
})
